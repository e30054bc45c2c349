"""Which failures are retried, and when. The rules are those of the TypeScript SDK."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime, timezone
from email.utils import parsedate_to_datetime
from typing import Optional

from .errors import ApiError, ConnectionFailed, TimedOut

FIRST_WAIT_SECONDS = 0.5
LONGEST_WAIT_SECONDS = 8.0
#: A server may ask for a longer wait than other retries have, up to this.
LONGEST_STATED_WAIT_SECONDS = 60.0
RETRIED = frozenset({408, 429, 500, 502, 503, 504})


def can_pass(error: Exception) -> bool:
    """Return whether a later attempt can succeed. Writes have a key, so they may be sent again."""
    if isinstance(error, ApiError):
        return error.status in RETRIED
    return isinstance(error, (ConnectionFailed, TimedOut))


def wait_before(attempt: int, stated: Optional[float], random: float) -> Optional[float]:
    """Return the seconds before the next attempt, or None when the stated wait is too long.

    ``attempt`` is the number of the attempt that failed, from 1. ``random`` is from 0 to 1.
    """
    if stated is not None and stated > LONGEST_STATED_WAIT_SECONDS:
        return None
    most = min(LONGEST_WAIT_SECONDS, FIRST_WAIT_SECONDS * 2.0 ** (attempt - 1))
    # Between half and all of it, so that clients which failed together do not return together.
    own = most * (0.5 + random / 2)
    return own if stated is None else stated + own / 4


def stated_wait(status: int, headers: Mapping[str, str], now: datetime) -> Optional[float]:
    """Return the seconds until a retry can succeed, from Retry-After or the end of the window of the limit."""
    after = headers.get("retry-after")
    if after is not None:
        try:
            return max(0.0, float(after))
        except ValueError:
            pass
        try:
            return max(0.0, (parsedate_to_datetime(after) - now).total_seconds())
        except ValueError:
            pass
    reset = headers.get("x-ratelimit-reset") if status == 429 else None
    if reset is None:
        return None
    try:
        return max(0.0, (datetime.fromisoformat(reset.replace("Z", "+00:00")) - now).total_seconds())
    except ValueError:
        return None


def utc_now() -> datetime:
    return datetime.now(timezone.utc)
