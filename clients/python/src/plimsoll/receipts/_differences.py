"""The outcome of a verification."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Optional


class Difference(Exception):
    """The first difference. It ends the verification."""

    def __init__(self, code: str, detail: str) -> None:
        super().__init__(detail)
        self.code = code


@dataclass(frozen=True)
class Step:
    """A step of a verification."""

    #: ``form``, ``hash``, ``signature``, ``block``, ``calls`` or ``figures``; of a simulation ``data``, ``model`` or ``rerun``;
    #: of a crossing ``crossing``; of recorded forecasts ``forecast``.
    name: str
    ok: bool
    #: The comparison, or the first difference.
    detail: str


@dataclass
class Verification:
    """What a verification found."""

    steps: list[Step] = field(default_factory=list)
    #: The code of the first difference. docs/guides/verify.md lists them. None: no difference in the steps made.
    code: Optional[str] = None
    #: Whether a node made the same calls.
    is_read: bool = False
    #: Whether a published formula gave the figures.
    is_recomputed: bool = False

    @property
    def is_equal(self) -> bool:
        """Whether node and formula give every figure, to the wei."""
        return self.code is None and self.is_read and self.is_recomputed
