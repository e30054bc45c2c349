"""The client of the Plimsoll API."""

from . import webhooks
from ._client import AsyncPlimsoll, Plimsoll
from ._events import FollowedEvent, Gap
from ._transport import CallOptions
from .errors import (
    ApiError,
    ConnectionFailed,
    InvalidField,
    PlimsollError,
    TimedOut,
    WebhookVerificationError,
)
from .generated import models
from .receipts import ReceiptKey, Verification, verify_receipt

__all__ = [
    "ApiError",
    "AsyncPlimsoll",
    "CallOptions",
    "ConnectionFailed",
    "FollowedEvent",
    "Gap",
    "InvalidField",
    "Plimsoll",
    "PlimsollError",
    "ReceiptKey",
    "TimedOut",
    "Verification",
    "WebhookVerificationError",
    "models",
    "verify_receipt",
    "webhooks",
]
