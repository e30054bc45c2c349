"""Aave v2."""

from __future__ import annotations

from ._aave_v3 import (
    BASE_CURRENCY_UNIT,
    GET_PRICE_ORACLE,
    GET_RESERVE_DATA,
    SECONDS_PER_YEAR,
    Pool,
    Reserve,
    Rules,
    pool_figures,
    ray_mul,
)
from ._calls import Calls
from ._position import RAY, Figures, Market

GET_LENDING_POOL = "0x0261bf8b"
#: Of an oracle that does not state its currency.
ETHER_DECIMALS = 18


class _RulesV2(Rules):
    def growth(self, rate: int, seconds: int) -> int:
        """MathUtils.calculateCompoundedInterest: the rate of a second is truncated before it is used."""
        if seconds == 0:
            return RAY
        per_second = rate // SECONDS_PER_YEAR
        squared = ray_mul(per_second, per_second)
        cubed = ray_mul(squared, per_second)
        pairs = seconds * (seconds - 1)
        triples = pairs * max(seconds - 2, 0)
        return RAY + per_second * seconds + pairs * squared // 2 + triples * cubed // 6


def aave_v2(market: Market, calls: Calls) -> Figures:
    provider = market.contract("addressesProvider")
    pool = calls.address(provider, GET_LENDING_POOL)
    oracle = calls.address(provider, GET_PRICE_ORACLE)
    unit = calls.attempt_word(oracle, BASE_CURRENCY_UNIT)

    def read(asset: int) -> Reserve:
        data = calls.words(pool, GET_RESERVE_DATA, asset, count=12)
        configuration, liquidity_index, borrow_index, liquidity_rate, borrow_rate, _, last_update = data[:7]
        return Reserve(
            configuration=configuration,
            liquidity_index=liquidity_index,
            liquidity_rate=liquidity_rate,
            borrow_index=borrow_index,
            borrow_rate=borrow_rate,
            last_update=last_update,
            id=data[11],
            tokens=(data[7], data[8], data[9]),
        )

    return pool_figures(
        market,
        calls,
        Pool(
            address=pool,
            oracle=oracle,
            rules=_RulesV2(),
            price_decimals=ETHER_DECIMALS if unit is None else len(str(unit)) - 1,
            category=None,
            read=read,
        ),
    )
