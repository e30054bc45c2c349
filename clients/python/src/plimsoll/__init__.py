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
from .receipts import (
    LogVerification,
    ReceiptKey,
    Verification,
    leaf_of,
    verify_anchor,
    verify_consistency,
    verify_inclusion,
    verify_receipt,
)

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
    "LogVerification",
    "ReceiptKey",
    "TimedOut",
    "Verification",
    "WebhookVerificationError",
    "models",
    "leaf_of",
    "verify_anchor",
    "verify_consistency",
    "verify_inclusion",
    "verify_receipt",
    "webhooks",
]
