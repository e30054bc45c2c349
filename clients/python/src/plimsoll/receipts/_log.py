"""The log of receipts: a Merkle tree (RFC 6962) with signed roots. docs/guides/verify.md states its texts."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Optional, TypeVar, Union

import httpx
from pydantic import Field, ValidationError

from ._canonical import MAX_SAFE
from ._differences import Difference
from ._forecast import check_logged
from ._keys import ReceiptKey, check_signed, known_keys, receipt_text
from ._node import TIMEOUT_SECONDS, Node
from ._schema import Address, AnyReceipt, ForecastReceipt, Hex32, Part, Sha256, Signature, read_receipt

Place = Annotated[int, Field(ge=0, le=MAX_SAFE)]
P = TypeVar("P", bound=Part)


class _Anchor(Part):
    chainId: Place
    transactionHash: Hex32
    account: Address


class _Root(Part):
    size: Place
    rootHash: Sha256
    signature: Signature
    #: Absent: no transaction has the root.
    anchor: _Anchor = Field(default=None)  # type: ignore[assignment]


class _Inclusion(Part):
    index: Place
    root: _Root
    proof: list[Sha256]


class _Consistency(Part):
    earlier: _Root
    later: _Root
    proof: list[Sha256]


@dataclass(frozen=True)
class LogVerification:
    """The outcome of a verification of the log."""

    ok: bool
    #: The comparison, or the first difference.
    detail: str
    #: The code of the first difference. docs/guides/verify.md lists them. None: none was found.
    code: Optional[str] = None


def leaf_of(text: Union[str, bytes]) -> str:
    """Return the leaf of a receipt, for ``receipts.inclusion``. Raises ValueError for a text that is no receipt."""
    try:
        return _leaf(read_receipt(text)[1]).hex()
    except Difference as difference:
        raise ValueError(f"{difference.code}: {difference}") from difference


def verify_inclusion(
    text: Union[str, bytes],
    inclusion: Any,
    *,
    keys: Sequence[Union[ReceiptKey, Mapping[str, Any]]],
) -> LogVerification:
    """Verify that the log has a receipt: its signature, that of the root, and the proof.

    ``text`` is the receipt exactly as it was received. ``inclusion`` is the response of
    ``GET /v1/receipts/inclusion`` as a dictionary. Never raises for a receipt or a proof.
    """

    def work() -> str:
        known = known_keys(keys)
        _, receipt = read_receipt(text)
        stated = _form(_Inclusion, inclusion)
        check_signed(receipt_text(receipt), receipt.signature, known)
        _check_root(stated.root, known)
        root = stated.root
        proof = [bytes.fromhex(each) for each in stated.proof]
        if not _is_included(_leaf(receipt), stated.index, root.size, bytes.fromhex(root.rootHash), proof):
            raise Difference("not_included", f"place {stated.index} of {root.size}, {root.rootHash}")
        if isinstance(receipt, ForecastReceipt):
            check_logged(receipt.content, root.signature.signedAt)
        seconds = round((root.signature.signedAt - receipt.signature.signedAt) / 1000)
        return f"place {stated.index} of {root.size}, in a root signed {seconds} s after the receipt"

    return _outcome(work)


def verify_consistency(
    earlier: Any,
    consistency: Any,
    *,
    keys: Sequence[Union[ReceiptKey, Mapping[str, Any]]],
) -> LogVerification:
    """Verify that the log only grew since a root: both signatures and the proof.

    ``earlier`` is the root that you kept. ``consistency`` is the response of ``GET /v1/receipts/consistency``; its own
    earlier root is not used. Both are dictionaries. Never raises for a root or a proof.
    """

    def work() -> str:
        known = known_keys(keys)
        own = _form(_Root, earlier)
        stated = _form(_Consistency, consistency)
        for root in (own, stated.later):
            _check_root(root, known)
        if not _is_consistent(own, stated.later, [bytes.fromhex(each) for each in stated.proof]):
            raise Difference("not_consistent", f"{own.size} {own.rootHash}, {stated.later.size}")
        return f"the log grew from {own.size} to {stated.later.size} receipts"

    return _outcome(work)


def verify_anchor(
    root: Any,
    *,
    keys: Sequence[Union[ReceiptKey, Mapping[str, Any]]],
    rpc_url: str,
    timeout: float = TIMEOUT_SECONDS,
) -> LogVerification:
    """Verify that a root is on a chain: its signature, and the data of its transaction on your node.

    ``root`` is that of an inclusion, or one of ``GET /v1/receipts/roots``, as a dictionary. ``rpc_url`` is your node of the
    chain that the root names. Never raises for a root or a node.
    """

    def work() -> str:
        known = known_keys(keys)
        own = _form(_Root, root)
        _check_root(own, known)
        anchor = own.anchor
        if anchor is None:
            raise Difference("anchor_missing", f"the root of size {own.size}")
        with httpx.Client(timeout=timeout) as client:
            sender, data, block = Node(client, rpc_url).transaction(anchor.chainId, anchor.transactionHash)
        if sender != anchor.account:
            raise Difference("anchor_differs", f"the sender is {sender}, not {anchor.account}")
        if data != "0x" + f"{_root_text(own)}\n{own.signature.value}".encode().hex():
            raise Difference("anchor_differs", f"the data of {anchor.transactionHash} is not the root")
        return f"by {anchor.account} in block {block} of chain {anchor.chainId}"

    return _outcome(work)


def _outcome(work: Callable[[], str]) -> LogVerification:
    try:
        return LogVerification(True, work())
    except Difference as difference:
        return LogVerification(False, str(difference), difference.code)


def _form(model: type[P], value: Any) -> P:
    try:
        return model.model_validate(value)
    except ValidationError as error:
        raise Difference("schema_invalid", ".".join(map(str, error.errors()[0]["loc"]))) from error


def _check_root(root: _Root, keys: Sequence[ReceiptKey]) -> None:
    check_signed(_root_text(root), root.signature, keys)


def _root_text(root: _Root) -> str:
    stated = root.signature
    parts = ("plimsoll-receipt-root-1", str(root.size), root.rootHash, stated.keyId, str(stated.signedAt))
    return "\n".join(parts)


def _leaf(receipt: AnyReceipt) -> bytes:
    entry = f"{receipt_text(receipt)}\n{receipt.signature.value}"
    return hashlib.sha256(b"\x00" + entry.encode()).digest()


def _node(left: bytes, right: bytes) -> bytes:
    return hashlib.sha256(b"\x01" + left + right).digest()


def _is_included(leaf: bytes, index: int, size: int, root: bytes, proof: Sequence[bytes]) -> bool:
    """RFC 9162, 2.1.3.2."""
    if index >= size:
        return False
    at, last, own = index, size - 1, leaf
    for node in proof:
        if last == 0:
            return False
        if at & 1 or at == last:
            own = _node(node, own)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            own = _node(own, node)
        at, last = at >> 1, last >> 1
    return last == 0 and own == root


def _is_consistent(earlier: _Root, later: _Root, proof: Sequence[bytes]) -> bool:
    """RFC 9162, 2.1.4.2."""
    first, second = bytes.fromhex(earlier.rootHash), bytes.fromhex(later.rootHash)
    if not 0 < earlier.size <= later.size:
        return False
    if earlier.size == later.size:
        return not proof and first == second
    nodes = [first, *proof] if earlier.size & (earlier.size - 1) == 0 else list(proof)
    if not nodes:
        return False
    at, last = earlier.size - 1, later.size - 1
    while at & 1:
        at, last = at >> 1, last >> 1
    before = after = nodes[0]
    for node in nodes[1:]:
        if last == 0:
            return False
        if at & 1 or at == last:
            before, after = _node(node, before), _node(node, after)
            while not at & 1 and at:
                at, last = at >> 1, last >> 1
        else:
            after = _node(after, node)
        at, last = at >> 1, last >> 1
    return last == 0 and before == first and after == second
