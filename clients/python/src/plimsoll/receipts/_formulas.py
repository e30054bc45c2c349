"""The published formulas of docs/guides/receipt-formulas.md."""

from __future__ import annotations

from collections.abc import Callable, Mapping

from ._aave_v2 import aave_v2
from ._aave_v3 import aave_v3
from ._aave_v4 import aave_v4
from ._calls import Calls
from ._comet import comet
from ._compound_v2 import compound_v2, venus_core, venus_isolated
from ._dolomite import dolomite
from ._euler_v2 import euler_v2
from ._fluid import fluid
from ._fraxlend import fraxlend
from ._liquity import liquity_v1, liquity_v2
from ._llamma import llamma, llamma_mint, llamma_second
from ._maker import maker
from ._morpho_blue import morpho_blue
from ._position import Figures, Market
from ._silo_v2 import silo_v2

Formula = Callable[[Market, Calls], Figures]

#: By name and version. A published version never changes.
FORMULAS: Mapping[tuple[str, int], Formula] = {
    ("aave-v2", 1): aave_v2,
    ("aave-v3", 1): aave_v3,
    ("aave-v4", 1): aave_v4,
    ("comet", 1): comet,
    ("compound-v2", 1): compound_v2,
    ("dolomite", 1): dolomite,
    ("euler-v2", 1): euler_v2,
    ("fluid", 1): fluid,
    ("fraxlend", 1): fraxlend,
    ("liquity-v1", 1): liquity_v1,
    ("liquity-v2", 1): liquity_v2,
    ("llamma", 1): llamma,
    ("llamma-mint", 1): llamma_mint,
    ("llamma-second", 1): llamma_second,
    ("maker", 1): maker,
    ("morpho-blue", 1): morpho_blue,
    ("silo-v2", 1): silo_v2,
    ("venus-core", 1): venus_core,
    ("venus-isolated", 1): venus_isolated,
}

__all__ = ["FORMULAS", "Formula", "Market"]
