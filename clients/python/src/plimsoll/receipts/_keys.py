"""Signatures of receipts."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping, Sequence
from typing import Annotated, Any, Optional, Union

from pydantic import BaseModel, ConfigDict, StringConstraints

from ._differences import Difference
from ._schema import AnyReceipt, Signature


class ReceiptKey(BaseModel):
    """A key of ``/.well-known/plimsoll-keys.json``. Times are Unix milliseconds."""

    model_config = ConfigDict(extra="ignore", frozen=True)

    id: str
    publicKey: Annotated[str, StringConstraints(pattern=r"^[A-Za-z0-9_-]{43}$")]
    fromMs: int
    #: None: the key has no end.
    untilMs: Optional[int]


def known_keys(keys: Sequence[Union[ReceiptKey, Mapping[str, Any]]]) -> list[ReceiptKey]:
    """Return the keys as objects."""
    return [each if isinstance(each, ReceiptKey) else ReceiptKey.model_validate(each) for each in keys]


def receipt_text(receipt: AnyReceipt) -> str:
    """Return the text that is signed for a receipt."""
    stated = receipt.signature
    return "\n".join(("plimsoll-receipt-1", receipt.hash, stated.keyId, str(stated.signedAt)))


def check_signed(text: str, stated: Signature, keys: Sequence[ReceiptKey]) -> None:
    """Raises Difference unless a published key signed the text while it was valid."""
    # The package works without it, as only receipts have signatures of keys.
    try:
        from cryptography.exceptions import InvalidSignature
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
    except ImportError as error:
        raise ImportError("Receipts need the package cryptography: pip install 'plimsoll[verify]'") from error

    key = next((each for each in keys if each.id == stated.keyId), None)
    if key is None:
        raise Difference("key_unknown", stated.keyId)
    if stated.signedAt < key.fromMs:
        raise Difference("key_not_yet_valid", f"{key.id} at {stated.signedAt}")
    if key.untilMs is not None and stated.signedAt > key.untilMs:
        raise Difference("key_expired", f"{key.id} at {stated.signedAt}")
    try:
        public = Ed25519PublicKey.from_public_bytes(_bytes(key.publicKey))
        public.verify(_bytes(stated.value), text.encode())
    except (InvalidSignature, ValueError, binascii.Error) as error:
        raise Difference("signature_invalid", key.id) from error


def _bytes(base64url: str) -> bytes:
    return base64.urlsafe_b64decode(base64url + "=" * (-len(base64url) % 4))
