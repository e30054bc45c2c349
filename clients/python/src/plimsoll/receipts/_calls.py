"""Reads the results of calls as a contract returns them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Optional

from ._differences import Difference

_WORD = 64
_DECIMALS = "0x313ce567"
#: Of a price and of a token.
MOST_DECIMALS = 36


class Calls:
    """The results of the calls of a receipt, by contract and data. None: the call reverted."""

    def __init__(self, results: Mapping[tuple[str, str], Optional[str]]) -> None:
        self._results = results

    def result(self, to: str, data: str) -> Optional[str]:
        """Return the result of a call, None for a revert. Raises Difference when the receipt lacks it."""
        if (to, data) not in self._results:
            raise Difference("call_missing", f"{data} of {to}")
        return self._results[to, data]

    def attempt(self, to: str, selector: str, *words: int) -> Optional[list[int]]:
        """Return the words of a result, None for a revert. Raises Difference when the receipt lacks the call."""
        result = self.result(to, selector + "".join(f"{word:064x}" for word in words))
        if result is None:
            return None
        digits = result[2:]
        return [int(digits[at : at + _WORD], 16) for at in range(0, len(digits) - _WORD + 1, _WORD)]

    def words(self, to: str, selector: str, *words: int, count: int = 1) -> list[int]:
        """Return the first ``count`` words of a result or more."""
        found = self.attempt(to, selector, *words)
        if found is None or len(found) < count:
            raise Difference("call_missing", f"{selector} of {to} has no such result")
        return found

    def word(self, to: str, selector: str, *words: int) -> int:
        return self.words(to, selector, *words)[0]

    def attempt_word(self, to: str, selector: str, *words: int) -> Optional[int]:
        """Return the first word of a result, None for a revert and for a contract without code."""
        found = self.attempt(to, selector, *words)
        return found[0] if found else None

    def list(self, to: str, selector: str, *words: int) -> list[int]:
        """Return the entries of a result that is one list."""
        return list_at(self.words(to, selector, *words, count=2), 0)

    def decimals(self, token: str, missing: Optional[int] = None) -> int:
        """Return the decimals of a token. ``missing`` replaces those of a token that states none."""
        stated = self.attempt_word(token, _DECIMALS)
        decimals = missing if stated is None else stated
        if decimals is None or decimals > MOST_DECIMALS:
            raise Difference("call_missing", f"{token} states no such decimals")
        return decimals

    def address(self, to: str, selector: str, *words: int) -> str:
        return address_of(self.word(to, selector, *words))


def list_at(words: list[int], head: int, size: int = 1) -> list[int]:
    """Return the list whose place in bytes is at ``head`` of a result. An entry has ``size`` words."""
    at = words[head] // 32 if head < len(words) else 0
    count = words[at] * size if 0 < at < len(words) else 0
    entries = words[at + 1 : at + 1 + count]
    if not 0 < at < len(words) or len(entries) != count:
        raise Difference("call_missing", "a list of a result is incomplete")
    return entries


def signed(word: int) -> int:
    return word - (1 << 256) if word >> 255 else word


def address_of(word: int) -> str:
    return f"0x{word:040x}"
