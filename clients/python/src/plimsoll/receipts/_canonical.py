"""Canonical JSON (RFC 8785) with whole numbers only."""

from __future__ import annotations

import json
import re
from typing import Any, NoReturn

from ._differences import Difference

#: The largest whole number that a double holds without rounding its neighbours into it.
MAX_SAFE = 2**53 - 1
MOST_LEVELS = 16

_STRING = re.compile(r'"(?:[^"\\]|\\.)*"', re.DOTALL)
_NUMBER = re.compile(r"-?[0-9.][0-9.eE+-]*")
_WHOLE = re.compile(r"0|-?[1-9][0-9]*")


def _utf16(text: str) -> bytes:
    """Return the UTF-16 units of a text. They sort as RFC 8785 sorts names."""
    return text.encode("utf-16-be", "surrogatepass")


def canonical_bytes(value: Any) -> bytes:
    """Return the canonical text of a value that ``read_canonical`` returned."""
    return _write(value).encode()


def _write(value: Any) -> str:
    if isinstance(value, dict):
        names = sorted(value, key=_utf16)
        return "{" + ",".join(f"{_write(name)}:{_write(value[name])}" for name in names) + "}"
    if isinstance(value, list):
        return "[" + ",".join(map(_write, value)) + "]"
    # The json module escapes exactly what RFC 8785 escapes, and in the same form.
    return json.dumps(value, ensure_ascii=False)


def read_canonical(text: str) -> Any:
    """Return the value of a canonical text. Raises Difference for the first place that is not canonical."""
    reader = _Reader(text)
    value = reader.value(0)
    reader.space()
    if reader.at != len(text):
        reader.fail("not_json", "text after the value")
    return value


class _Reader:
    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0

    def fail(self, code: str, what: str, at: int = -1) -> NoReturn:
        raise Difference(code, f"{what} at character {self.at if at < 0 else at}")

    def peek(self) -> str:
        return self.text[self.at : self.at + 1]

    def space(self) -> None:
        if self.peek() and self.peek() in " \t\n\r":
            self.fail("whitespace", "whitespace")

    def take(self, character: str) -> None:
        self.space()
        if self.peek() != character:
            self.fail("not_json", f"no {character}")
        self.at += 1

    def more(self, end: str) -> bool:
        """Pass a comma, or the end of a list."""
        self.space()
        if self.peek() == end:
            self.at += 1
            return False
        self.take(",")
        self.space()
        return True

    def value(self, level: int) -> Any:
        if level > MOST_LEVELS:
            self.fail("not_json", "too many levels")
        self.space()
        if self.peek() == "{":
            return self.object(level)
        if self.peek() == "[":
            return self.array(level)
        if self.peek() == '"':
            return self.string()
        for word, value in (("true", True), ("false", False), ("null", None)):
            if self.text.startswith(word, self.at):
                self.at += len(word)
                return value
        return self.number()

    def opened(self, end: str) -> bool:
        """Pass the first character of a list. False: the list is empty."""
        self.at += 1
        self.space()
        if self.peek() != end:
            return True
        self.at += 1
        return False

    def object(self, level: int) -> dict[str, Any]:
        found: dict[str, Any] = {}
        last = b""
        more = self.opened("}")
        while more:
            start = self.at
            if self.peek() != '"':
                self.fail("not_json", "no name")
            name = self.string()
            if name in found:
                self.fail("duplicate_key", f"{name} a second time", start)
            if found and _utf16(name) < last:
                self.fail("key_order", f"{name} out of order", start)
            last = _utf16(name)
            self.take(":")
            found[name] = self.value(level + 1)
            more = self.more("}")
        return found

    def array(self, level: int) -> list[Any]:
        found: list[Any] = []
        more = self.opened("]")
        while more:
            found.append(self.value(level + 1))
            more = self.more("]")
        return found

    def string(self) -> str:
        match = _STRING.match(self.text, self.at)
        if match is None:
            self.fail("not_json", "no text")
        try:
            value = json.loads(match[0])
        except ValueError:
            self.fail("not_json", "an invalid escape")
        assert isinstance(value, str)
        is_whole = not any("\ud800" <= character <= "\udfff" for character in value)
        if not is_whole or _write(value) != match[0]:
            self.fail("string_form", "text in another form")
        self.at = match.end()
        return value

    def number(self) -> int:
        match = _NUMBER.match(self.text, self.at)
        if match is None:
            self.fail("not_json", "no value")
        # The length is limited before the conversion, which Python refuses for thousands of digits.
        is_whole = _WHOLE.fullmatch(match[0]) is not None and len(match[0]) <= 17
        if not is_whole or abs(int(match[0])) > MAX_SAFE:
            self.fail("number_form", f"{match[0]} is no whole number in its shortest form")
        self.at = match.end()
        return int(match[0])
