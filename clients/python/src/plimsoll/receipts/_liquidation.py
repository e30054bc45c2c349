"""Liquidation prices and the level of a position, as docs/guides/receipt-formulas.md states them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Optional

from ._differences import Difference
from ._schema import Content, Input, Price

WAD = 10**18
#: Of an amount and of a price together.
MOST_VALUE_DECIMALS = 72
PRICE_LIMIT = 2**256
_BELOW = ((100, "liquidatable"), (110, "critical"), (125, "high"), (150, "moderate"))
_FROM = ((35, "critical"), (10, "high"), (2, "moderate"))


def check_liquidation(content: Content) -> str:
    """Return the level. Raises Difference for a liquidation price or a level that the figures do not give."""
    outputs = content.outputs
    factor = number(outputs.healthFactor)
    own = _prices(content.inputs, content.prices, factor or 0)
    stated = [(each.asset, each.price) for each in outputs.liquidationPrices]
    given = [(each.asset, None if price is None else str(price)) for each, price in zip(content.inputs, own)]
    if stated != given:
        raise Difference("liquidation_price_differs", f"the receipt has {stated}, the inputs give {given}")
    level = level_of(factor, number(outputs.probability7d))
    if level != outputs.level:
        raise Difference("level_differs", f"{outputs.level}, the figures give {level}")
    return level


def level_of(health_factor: Optional[int], probability: Optional[int]) -> str:
    if health_factor is None:
        return "none"
    if health_factor < WAD:
        return "liquidatable"
    if probability is not None:
        return next((level for percent, level in _FROM if probability * 100 >= percent * WAD), "low")
    return next((level for percent, level in _BELOW if health_factor * 100 < percent * WAD), "low")


def number(digits: Optional[str]) -> Optional[int]:
    return None if digits is None else int(digits)


def _prices(inputs: Sequence[Input], prices: Sequence[Price], factor: int) -> list[Optional[int]]:
    """Return the price of each input at which the health factor is 1. None: no price does it."""
    none: list[Optional[int]] = [None] * len(inputs)
    if len(inputs) != len(prices) or factor == 0:
        return none
    weighted: dict[str, int] = {}
    debt: dict[str, int] = {}
    for held, priced in zip(inputs, prices):
        exponent = MOST_VALUE_DECIMALS - held.decimals - priced.decimals
        if exponent < 0:
            return none
        value = int(held.amount) * int(priced.price) * 10**exponent
        if held.side == "debt":
            debt[held.asset] = debt.get(held.asset, 0) + value
        elif held.usedAsCollateral:
            weighted[held.asset] = weighted.get(held.asset, 0) + value * int(held.liquidationThresholdBps)
    all_weighted, all_debt = sum(weighted.values()), sum(debt.values())
    if all_weighted == 0:
        return none
    found = none
    for place, (held, priced) in enumerate(zip(inputs, prices)):
        # Both are multiplied by wad and the sum of weights, so that they are whole numbers.
        own_weighted = factor * all_debt * weighted.get(held.asset, 0)
        own_debt = WAD * all_weighted * debt.get(held.asset, 0)
        net = own_weighted - own_debt
        others = WAD * all_weighted * all_debt - own_debt - (factor * all_debt * all_weighted - own_weighted)
        if others * net > 0:
            price = int(priced.price) * abs(others) // abs(net)
            found[place] = price if 0 < price < PRICE_LIMIT else None
    return found
