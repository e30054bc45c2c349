"""The errors of the client. ``code`` is stable; texts may change."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Optional


class PlimsollError(Exception):
    """The base of every error of the client."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


@dataclass(frozen=True)
class InvalidField:
    """One mistake of a request."""

    #: Path in the body or the name of the parameter, such as ``scenarios[0].asset``.
    field: str
    code: str
    #: The necessary change.
    message: str
    #: The nearest known name or word, when one is similar.
    suggestion: Optional[str] = None


class ApiError(PlimsollError):
    """The API refused the request."""

    def __init__(
        self,
        status: int,
        problem: Mapping[str, Any],
        request_id: Optional[str],
        retry_after_seconds: Optional[float],
    ) -> None:
        title, detail = problem.get("title", f"HTTP {status}"), problem.get("detail")
        super().__init__(
            str(problem.get("code", f"http_{status}")),
            f"{title}: {detail}" if detail else str(title),
        )
        self.status = status
        #: The problem document (RFC 9457). Empty when a proxy responded.
        self.problem = problem
        self.request_id = request_id
        #: Seconds until a retry can succeed, where the server stated it.
        self.retry_after_seconds = retry_after_seconds

    @property
    def fields(self) -> list[InvalidField]:
        """The mistakes of a 400."""
        errors = self.problem.get("errors") or []
        return [
            InvalidField(each["field"], each["code"], each["message"], each.get("suggestion"))
            for each in errors
        ]

    @property
    def field(self) -> Optional[str]:
        """The field of the first mistake."""
        fields = self.fields
        return fields[0].field if fields else None

    @property
    def remedy(self) -> str:
        """The next step, in words."""
        return str(self.problem.get("detail", ""))

    @property
    def required_tier(self) -> Optional[str]:
        """The tier that allows the request. None when the tier is not the reason."""
        return self.problem.get("requiredTier")

    @property
    def upgrade_url(self) -> Optional[str]:
        """The page where an account gets that tier, where the platform has one."""
        return self.problem.get("upgradeUrl")


class ConnectionFailed(PlimsollError):
    """No complete response arrived. The code is ``connection_failed``."""

    def __init__(self, message: str) -> None:
        super().__init__("connection_failed", message)


class TimedOut(PlimsollError):
    """No response arrived in time. The code is ``timeout``."""

    def __init__(self, seconds: float) -> None:
        super().__init__("timeout", f"No response within {seconds} s. Raise timeout, or ask for less at once.")


class WebhookVerificationError(PlimsollError):
    """A webhook request is not genuine. ``code`` says why."""
