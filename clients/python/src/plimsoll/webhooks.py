"""Verifies that Plimsoll sent a webhook request."""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import json
import re
import time
from collections.abc import Mapping, Sequence
from typing import Any, Optional, Union

from pydantic import ValidationError

from .errors import WebhookVerificationError
from .generated import models
from .generated.resources import EVENTS, WebhookEvent

TOLERANCE_SECONDS = 300
_PREFIX = "whsec_"


def verify(
    raw_body: bytes,
    headers: Mapping[str, str],
    secret: Union[str, Sequence[str]],
    *,
    tolerance_seconds: int = TOLERANCE_SECONDS,
    accept_without_time: bool = False,
    now: Optional[float] = None,
) -> Union[WebhookEvent, models.Model]:
    """Verify a webhook request and return its event.

    ``raw_body`` are the bytes as they arrived, before any JSON parser. ``secret`` is the signing secret of the
    endpoint, or several while a rotation overlaps. ``accept_without_time`` accepts a request that has only
    x-service-signature, which someone may have recorded. ``now`` is in seconds since 1970.

    Raises WebhookVerificationError with code ``signature_missing``, ``signature_wrong``, ``timestamp_missing``,
    ``timestamp_invalid``, ``timestamp_too_old``, ``timestamp_in_future``, ``body_invalid`` or ``secret_invalid``.
    """
    lower = {name.lower(): value for name, value in headers.items()}
    secrets = [secret] if isinstance(secret, str) else list(secret)
    standard, message_id, timestamp = (
        lower.get(name) for name in ("webhook-signature", "webhook-id", "webhook-timestamp")
    )
    simple = [
        lower[name] for name in ("x-service-signature", "x-service-signature-next") if name in lower
    ]
    # The standard scheme also signs the time, so a recorded request cannot be sent again later. It decides whenever
    # it is there. Plimsoll always sends it, so an attacker could have removed it from a request without it.
    if standard is not None and message_id is not None and timestamp is not None:
        _check_time(timestamp, tolerance_seconds, time.time() if now is None else now)
        signed = f"{message_id}.{timestamp}.".encode() + raw_body
        given = [_from_base64(part[3:]) for part in standard.split(" ") if part.startswith("v1,")]
        _require_one([_standard_key(each) for each in secrets], signed, given)
    elif simple:
        for each in secrets:
            _standard_key(each)
        _require_one([each.encode() for each in secrets], raw_body, [_from_hex(each) for each in simple])
        if not accept_without_time:
            raise WebhookVerificationError(
                "timestamp_missing",
                "The request has no webhook-signature, so its time is unknown. Pass all headers of the request.",
            )
    else:
        raise WebhookVerificationError(
            "signature_missing",
            "The request has no signature header. Pass the headers of the request as they arrived.",
        )
    return _event(raw_body)


def _event(raw_body: bytes) -> Union[WebhookEvent, models.Model]:
    try:
        value: Any = json.loads(raw_body)
    except ValueError as error:
        raise WebhookVerificationError("body_invalid", "The signed body is no JSON.") from error
    if not isinstance(value, dict) or not isinstance(value.get("event"), str):
        raise WebhookVerificationError("body_invalid", "The signed body is no event.")
    model = EVENTS.get(value["event"])
    try:
        if model is not None:
            return model.model_validate_json(raw_body)
    except ValidationError:
        pass
    # A later release may send an event, or a form of one, that this release has no model for.
    return models.Model.model_validate(value)


def _check_time(timestamp: str, tolerance_seconds: int, now: float) -> None:
    if not re.fullmatch(r"[0-9]{1,12}", timestamp):
        raise WebhookVerificationError("timestamp_invalid", "webhook-timestamp is no number of seconds.")
    age = now - int(timestamp)
    if age > tolerance_seconds:
        raise WebhookVerificationError("timestamp_too_old", f"The request is {round(age)} s old.")
    if age < -tolerance_seconds:
        raise WebhookVerificationError(
            "timestamp_in_future",
            f"The request is {round(-age)} s in the future. Check the clock of this machine.",
        )


def _require_one(
    keys: Sequence[bytes], signed: bytes, signatures: Sequence[Optional[bytes]]
) -> None:
    for key in keys:
        expected = hmac.new(key, signed, hashlib.sha256).digest()
        for signature in signatures:
            if signature is not None and hmac.compare_digest(expected, signature):
                return
    raise WebhookVerificationError(
        "signature_wrong",
        "No signature matches. Pass the bytes of the body before any JSON parser, and the secret of this endpoint.",
    )


def _standard_key(secret: str) -> bytes:
    key = _from_base64(secret[len(_PREFIX) :]) if secret.startswith(_PREFIX) else None
    if not key:
        raise WebhookVerificationError("secret_invalid", "A signing secret is whsec_ and base64.")
    return key


def _from_base64(text: str) -> Optional[bytes]:
    try:
        return base64.b64decode(text, validate=True)
    except (binascii.Error, ValueError):
        return None


def _from_hex(text: str) -> Optional[bytes]:
    return bytes.fromhex(text) if re.fullmatch(r"([0-9a-f]{2})+", text) else None
