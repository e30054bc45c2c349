"""exp and log with the bits of fdlibm, which JavaScript engines use. Those of Python depend on the machine."""

from __future__ import annotations

import math
import struct

# Source: e_exp.c and e_log.c of fdlibm 5.3. The names are those of its comments.
_P1 = 1.66666666666666019037e-01
_P2 = -2.77777777770155933842e-03
_P3 = 6.61375632143793436117e-05
_P4 = -1.65339022054652515390e-06
_P5 = 4.13813679705723846039e-08
_LN2_HI = 6.93147180369123816490e-01
_LN2_LO = 1.90821492927058770002e-10
_INV_LN2 = 1.44269504088896338700e00
_LG1 = 6.666666666666735130e-01
_LG2 = 3.999999999940941908e-01
_LG3 = 2.857142874366239149e-01
_LG4 = 2.222219843214978396e-01
_LG5 = 1.818357216161805012e-01
_LG6 = 1.531383769920937332e-01
_LG7 = 1.479819860511658591e-01
#: The last step scales by one power of two, which is exact up to here.
_MOST_EXPONENT = 700.0
#: A smaller number is scaled by a power of two first.
_LEAST_NORMAL = 2.0**-1022
_SHIFT = 54
_OVERFLOW = 7.09782712893383973096e02
_UNDERFLOW = -7.45133219101941108420e02


def _of_bits(bits: int) -> float:
    return float(struct.unpack(">d", struct.pack(">Q", bits))[0])


_HALF_LN2 = _of_bits(0x3FD62E43 << 32)
_THREE_HALVES_LN2 = _of_bits(0x3FF0A2B2 << 32)
_TINY = _of_bits(0x3E300000 << 32)


def exp(x: float) -> float:
    """Return e to the power of x. Raises ValueError beyond 700, which no price reaches."""
    if not abs(x) < _MOST_EXPONENT:
        raise ValueError("a price changed beyond what a double holds")
    return _exp(x)


def any_exp(x: float) -> float:
    """Return e to the power of any x: 0 and infinity where a double holds no other value."""
    if math.isnan(x) or x > _OVERFLOW:
        return x if math.isnan(x) else math.inf
    return 0.0 if x < _UNDERFLOW else _exp(x)


def any_log(x: float) -> float:
    """Return the natural logarithm of any x: minus infinity of 0, and no number below."""
    if x == 0:
        return -math.inf
    if not x > 0:
        return math.nan
    if x == math.inf:
        return x
    return _log(x, 0) if x >= _LEAST_NORMAL else _log(x * 2.0**_SHIFT, -_SHIFT)


def _exp(x: float) -> float:
    size = abs(x)
    high, low, k = 0.0, 0.0, 0
    if size >= _HALF_LN2:
        if size < _THREE_HALVES_LN2:
            if x == 1.0:
                return math.e
            k = 1 if x > 0 else -1
        else:
            k = int(_INV_LN2 * x + (0.5 if x > 0 else -0.5))
        high = x - k * _LN2_HI
        low = k * _LN2_LO
        x = high - low
    elif size < _TINY:
        return 1.0 + x
    t = x * x
    c = x - t * (_P1 + t * (_P2 + t * (_P3 + t * (_P4 + t * _P5))))
    if k == 0:
        return 1.0 - ((x * c) / (c - 2.0) - x)
    return math.ldexp(1.0 - ((low - (x * c) / (2.0 - c)) - high), k)


def log(x: float) -> float:
    """Return the natural logarithm. Raises ValueError for a number that is not positive and normal."""
    if not _LEAST_NORMAL <= x < math.inf:
        raise ValueError("a price is not positive")
    return _log(x, 0)


def _log(x: float, k: int) -> float:
    bits = int.from_bytes(struct.pack(">d", x), "big")
    high, low = bits >> 32, bits & 0xFFFFFFFF
    k += (high >> 20) - 1023
    high &= 0xFFFFF
    i = (high + 0x95F64) & 0x100000
    k += i >> 20
    f = _of_bits(((high | (i ^ 0x3FF00000)) << 32) | low) - 1.0
    if (0xFFFFF & (2 + high)) < 3:
        if f == 0.0:
            return 0.0 if k == 0 else k * _LN2_HI + k * _LN2_LO
        r = f * f * (0.5 - 0.33333333333333333 * f)
        return f - r if k == 0 else k * _LN2_HI - ((r - k * _LN2_LO) - f)
    s = f / (2.0 + f)
    z = s * s
    w = z * z
    t1 = w * (_LG2 + w * (_LG4 + w * _LG6))
    t2 = z * (_LG1 + w * (_LG3 + w * (_LG5 + w * _LG7)))
    r = t2 + t1
    if (high - 0x6147A) | (0x6B851 - high) > 0:
        half = 0.5 * f * f
        if k == 0:
            return f - (half - s * (half + r))
        return k * _LN2_HI - ((half - (s * (half + r) + k * _LN2_LO)) - f)
    if k == 0:
        return f - s * (f - r)
    return k * _LN2_HI - ((s * (f - r) - k * _LN2_LO) - f)
