"""The normal distribution as docs/guides/simulation-model.md states it. Every operation rounds once, in its order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache

from ._doubles import any_exp, any_log

SQRT_TWO_PI = math.sqrt(2 * math.pi)
UNIT = 2.0**-32
CELLS = 1_024
MIDDLE_SHIFT, MIDDLE_FIRST = 22, 2**27
TAIL_SHIFT, TAIL_FIRST = 17, 2**22

# Hart (1968), in the version of West (2005), from the highest power down.
_CDF_TOP = (
    0.0352624965998911,
    0.700383064443688,
    6.37396220353165,
    33.912866078383,
    112.079291497871,
    221.213596169931,
    220.206867912376,
)
_CDF_BOTTOM = (
    0.0883883476483184,
    1.75566716318264,
    16.064177579207,
    86.7807322029461,
    296.564248779674,
    637.333633378831,
    793.826512519948,
    440.413735824752,
)
# Algorithm AS 241 (PPND16) of Wichura (1988), from the highest power down.
_CENTRAL = (
    (
        2509.0809287301227,
        33430.57558358813,
        67265.7709270087,
        45921.95393154987,
        13731.69376550946,
        1971.5909503065513,
        133.14166789178438,
        3.3871328727963665,
    ),
    (
        5226.495278852854,
        28729.085735721943,
        39307.89580009271,
        21213.794301586597,
        5394.196021424751,
        687.1870074920579,
        42.31333070160091,
        1.0,
    ),
)
_MIDDLE_TAIL = (
    (
        0.0007745450142783414,
        0.022723844989269184,
        0.2417807251774506,
        1.2704582524523684,
        3.6478483247632045,
        5.769497221460691,
        4.630337846156546,
        1.4234371107496835,
    ),
    (
        1.0507500716444169e-9,
        0.0005475938084995345,
        0.015198666563616457,
        0.14810397642748008,
        0.6897673349851,
        1.6763848301838038,
        2.053191626637759,
        1.0,
    ),
)
_FAR_TAIL = (
    (
        2.0103343992922881e-7,
        2.7115555687434876e-5,
        0.0012426609473880784,
        0.026532189526576124,
        0.29656057182850487,
        1.7848265399172913,
        5.463784911164114,
        6.657904643501103,
    ),
    (
        2.0442631033899397e-15,
        1.421511758316446e-7,
        1.8463183175100548e-5,
        0.0007868691311456133,
        0.014875361290850615,
        0.1369298809227358,
        0.599832206555888,
        1.0,
    ),
)


def _polynomial(coefficients: Sequence[float], x: float) -> float:
    value = coefficients[0]
    for coefficient in coefficients[1:]:
        value = value * x + coefficient
    return value


def pdf(x: float) -> float:
    """Return the density."""
    return any_exp(-0.5 * x * x) / SQRT_TWO_PI


def cdf(x: float) -> float:
    """Return the distribution function."""
    z = abs(x)
    if z > 38:
        return 1.0 if x > 0 else 0.0
    e = any_exp(-0.5 * z * z)
    if z < 7.07106781186547:
        tail = (e * _polynomial(_CDF_TOP, z)) / _polynomial(_CDF_BOTTOM, z)
    else:
        tail = e / (z + 1 / (z + 2 / (z + 3 / (z + 4 / (z + 0.65))))) / SQRT_TWO_PI
    return 1 - tail if x > 0 else tail


def log_cdf(x: float) -> float:
    """Return the logarithm of the distribution function, by an asymptotic series below -30."""
    if x > -30:
        return any_log(cdf(x))
    inverse = 1 / (x * x)
    return -0.5 * x * x - any_log(-x * SQRT_TWO_PI) + _log1p(-inverse + 3 * inverse * inverse)


def inverse(p: float) -> float:
    """Return the quantile of a probability above 0 and below 1."""
    q = p - 0.5
    if abs(q) <= 0.425:
        r = 0.180625 - q * q
        top, bottom = _CENTRAL
        return (q * _polynomial(top, r)) / _polynomial(bottom, r)
    if p in (0.0, 1.0):
        return math.copysign(math.inf, q)
    r = math.sqrt(-any_log(p if q < 0 else 1 - p))
    top, bottom = _MIDDLE_TAIL if r <= 5 else _FAR_TAIL
    r = r - 1.6 if r <= 5 else r - 5
    z = _polynomial(top, r) / _polynomial(bottom, r)
    return -z if q < 0 else z


def _log1p(x: float) -> float:
    """Return log(1 + x) for x from -0.29 to 0, with the bits of fdlibm (s_log1p.c)."""
    if abs(x) < 2.0**-29:
        return x if abs(x) < 2.0**-54 else x - x * x * 0.5
    half = 0.5 * x * x
    s = x / (2.0 + x)
    z = s * s
    lp = (
        1.479819860511658591e-01,
        1.531383769920937332e-01,
        1.818357216161805012e-01,
        2.222219843214978396e-01,
        2.857142874366239149e-01,
        3.999999999940941908e-01,
        6.666666666666735130e-01,
    )
    r = z * _polynomial(lp, z)
    return x - (half - s * (half + r))


@cache
def _cubics(shift: int, first: int) -> list[tuple[float, float, float, float]]:
    width = 2.0 ** (shift - 32)
    cubics = [(0.0, 0.0, 0.0, 0.0)] * CELLS
    cell = first >> shift
    while cell < CELLS and cell * width < 0.5:
        start, end = inverse(cell * width), inverse((cell + 1) * width)
        slope_start, slope_end = width / pdf(start), width / pdf(end)
        cubics[cell] = (
            start,
            slope_start,
            3 * (end - start) - 2 * slope_start - slope_end,
            2 * (start - end) + slope_start + slope_end,
        )
        cell += 1
    return cubics


def of_word(word: int) -> float:
    """Return the normal of a uniform 32-bit word."""
    is_upper = word >> 31
    folded = word ^ 0xFFFFFFFF if is_upper else word
    if folded >= TAIL_FIRST:
        shift, first = (MIDDLE_SHIFT, MIDDLE_FIRST) if folded >= MIDDLE_FIRST else (TAIL_SHIFT, TAIL_FIRST)
        a, b, c, d = _cubics(shift, first)[folded >> shift]
        t = ((folded & ((1 << shift) - 1)) + 0.5) / (1 << shift)
        value = a + t * (b + t * (c + t * d))
    else:
        value = inverse((folded + 0.5) * UNIT)
    return -value if is_upper else value
