"""The published formulas of docs/guides/receipt-formulas.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ._aave_v3 import aave_v3
from ._calls import Calls
from ._comet import comet
from ._morpho_blue import morpho_blue
from ._position import Figures, Market

Formula = Callable[[Market, Calls], Figures]

#: By name and version. A published version never changes.
FORMULAS: Mapping[tuple[str, int], Formula] = {
    ("aave-v3", 1): aave_v3,
    ("comet", 1): comet,
    ("morpho-blue", 1): morpho_blue,
}

__all__ = ["FORMULAS", "Formula", "Market"]
