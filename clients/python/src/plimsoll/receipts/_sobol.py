"""Scrambled Sobol points, as docs/guides/simulation-model.md states them."""

from __future__ import annotations

import base64
from collections.abc import Callable
from functools import cache

from ._joe_kuo import DIMENSIONS_BY_DEGREE, PACKED

MASK = 0xFFFFFFFF
BITS = 32
UNIT = 2.0**-32


def _mix(word: int) -> int:
    word &= MASK
    word = ((word ^ (word >> 16)) * 0x21F0AAAD) & MASK
    word = ((word ^ (word >> 15)) * 0x735A2D97) & MASK
    return word ^ (word >> 15)


def child_seed(seed: int, n: int) -> int:
    """Return a seed for the n-th of several independent sequences."""
    return _mix(seed ^ _mix((n + 1) * 0x85EBCA6B))


def random_words(seed: int) -> Callable[[], int]:
    """Return xoshiro128**, whose state is a mixed counter."""
    a, b, c, d = (_mix(seed + number * 0x9E3779B9) for number in (1, 2, 3, 4))

    def rotated(word: int, by: int) -> int:
        return ((word << by) | (word >> (32 - by))) & MASK

    def next_word() -> int:
        nonlocal a, b, c, d
        result = (rotated((b * 5) & MASK, 7) * 9) & MASK
        shifted = (b << 9) & MASK
        c ^= a
        d ^= b
        b ^= c
        a ^= d
        c ^= shifted
        d = rotated(d, 11)
        return result

    return next_word


@cache
def _table() -> str:
    """Return the packed table as binary digits."""
    packed = base64.b64decode(PACKED)
    return format(int.from_bytes(packed, "big"), f"0{len(packed) * 8}b")


@cache
def _directions(dimensions: int) -> list[list[int]]:
    """Return the direction numbers of the first dimensions, the highest bit first."""
    table, at = _table(), 0

    def take(count: int) -> int:
        nonlocal at
        at += count
        return int(table[at - count : at] or "0", 2)

    directions = [[1 << (BITS - 1 - k) for k in range(BITS)]]
    for degree, count in enumerate(DIMENSIONS_BY_DEGREE, start=1):
        for _ in range(count):
            if len(directions) >= dimensions:
                return directions[:dimensions]
            coefficients = take(degree - 1)
            start = [1 if k == 0 else (take(k) << 1) | 1 for k in range(degree)]
            numbers = [m << (BITS - 1 - k) for k, m in enumerate(start)]
            for k in range(degree, BITS):
                value = numbers[k - degree] ^ (numbers[k - degree] >> degree)
                for j in range(1, degree):
                    if (coefficients >> (degree - 1 - j)) & 1:
                        value ^= numbers[k - j]
                numbers.append(value)
            directions.append(numbers)
    return directions


class ScrambledSobol:
    """The points of one replicate, block by block, one dimension after the other."""

    def __init__(self, dimensions: int, points: int, seed: int) -> None:
        bits = max(1, (points - 1).bit_length())
        self._random = random = random_words(seed)
        self._zero = bits
        self._state: list[int] = []
        self._steps: list[list[int]] = []
        for plain in _directions(dimensions):
            columns = []
            for bit in range(BITS):
                diagonal = 1 << (BITS - 1 - bit)
                columns.append(diagonal | (random() & (diagonal - 1)))
            self._state.append(random())
            # The last step, 0, leads to the first point.
            self._steps.append([_product(columns, plain[k]) for k in range(bits)] + [0])
        self._first = 0
        self._changes: list[int] = []

    def next_block(self, count: int) -> None:
        """Advance to the next points."""
        points = range(self._first, self._first + count)
        self._changes = [self._zero if point == 0 else (point & -point).bit_length() - 1 for point in points]
        self._first += count

    def uniforms(self, dimension: int) -> list[float]:
        """Return the coordinates of the block in a dimension."""
        return [word * UNIT for word in self.words(dimension)]

    def words(self, dimension: int) -> list[int]:
        """Return the coordinates of the block as words. A dimension without direction numbers has further random words."""
        if dimension >= len(self._state):
            return [self._random() for _ in self._changes]
        word, steps = self._state[dimension], self._steps[dimension]
        found = []
        for change in self._changes:
            word ^= steps[change]
            found.append(word)
        self._state[dimension] = word
        return found


def _product(columns: list[int], word: int) -> int:
    product = 0
    for bit, column in enumerate(columns):
        if (word >> (BITS - 1 - bit)) & 1:
            product ^= column
    return product
