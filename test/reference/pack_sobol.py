"""Packs the Joe-Kuo direction numbers (new-joe-kuo-6, as shipped with scipy) into libs/risk-math.

One stream of bits, the highest first. For each dimension from the second on, of degree s: the s - 1 inner coefficients of
its primitive polynomial, then for k = 2..s the k - 1 high bits of the odd number m_k (m_1 is always 1).
"""
import base64
import json
import pathlib

import numpy as np
import scipy.stats

DIMENSIONS = 2920  # a year of daily steps of eight assets

table = np.load(pathlib.Path(scipy.stats.__file__).parent / "_sobol_direction_numbers.npz")
bits, degrees = [], {}
for polynomial, initial in list(zip(table["poly"], table["vinit"]))[1:DIMENSIONS]:
    s = int(polynomial).bit_length() - 1
    degrees[s] = degrees.get(s, 0) + 1
    bits.append(format((int(polynomial) >> 1) & ((1 << (s - 1)) - 1), f"0{s - 1}b") if s > 1 else "")
    for k in range(2, s + 1):
        bits.append(format(int(initial[k - 1]) >> 1, f"0{k - 1}b"))
stream = "".join(bits)
stream += "0" * (-len(stream) % 8)
data = bytes(int(stream[i : i + 8], 2) for i in range(0, len(stream), 8))
target = pathlib.Path(__file__).parents[2] / "libs/risk-math/src/random/joe-kuo.json"
target.write_text(
    json.dumps(
        {
            "source": "S. Joe and F. Y. Kuo, Constructing Sobol sequences with better two-dimensional projections, "
            "SIAM J. Sci. Comput. 30 (2008): new-joe-kuo-6. Licence: JOE-KUO-LICENSE.txt",
            "dimensions": DIMENSIONS,
            "dimensionsByDegree": [degrees.get(s, 0) for s in range(1, max(degrees) + 1)],
            "packed": base64.b64encode(data).decode(),
        },
        indent=2,
    )
    + "\n"
)
print(target, len(data), degrees)
