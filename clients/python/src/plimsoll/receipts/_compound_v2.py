"""Compound v2, Moonwell, BENQI, and the pools of Venus."""

from __future__ import annotations

from collections.abc import Callable

from ._calls import Calls, address_of
from ._position import WAD, Figures, Leg, Market, Priced, dollar

ORACLE = "0x7dc0d1d0"
GET_ASSETS_IN = "0xabfceffc"
GET_ALL_MARKETS = "0xb0772d0b"
BALANCE_OF = "0x70a08231"
BORROW_BALANCE_CURRENT = "0x17bfdfbc"
EXCHANGE_RATE_CURRENT = "0xbd6d894d"
GET_UNDERLYING_PRICE = "0xfc57d4df"
MARKETS = "0x8e8f294b"
GET_EFFECTIVE_LTV_FACTOR = "0x19ef3e8b"
UNDERLYING = "0x6f307dc3"
VAI_CONTROLLER = "0x9254f5e5"
GET_VAI_REPAY_AMOUNT = "0x78c2f922"

NATIVE = "0x" + "0" * 40
NATIVE_DECIMALS = 18
VAI_DECIMALS = 18
PRICE_DECIMALS = 36
FACTOR_PER_BPS = 10**14

#: Returns the threshold of a market for a wallet.
Threshold = Callable[[Calls, str, int, int], int]


def _collateral_factor(calls: Calls, comptroller: str, _owner: int, token: int) -> int:
    return calls.words(comptroller, MARKETS, token, count=2)[1]


def _own_threshold(calls: Calls, comptroller: str, _owner: int, token: int) -> int:
    return calls.words(comptroller, MARKETS, token, count=3)[2]


def _effective_threshold(calls: Calls, comptroller: str, owner: int, token: int) -> int:
    return calls.word(comptroller, GET_EFFECTIVE_LTV_FACTOR, owner, token, 1)


def compound_v2(market: Market, calls: Calls) -> Figures:
    return _figures(market, calls, _collateral_factor)


def venus_isolated(market: Market, calls: Calls) -> Figures:
    return _figures(market, calls, _own_threshold, price_first=True)


def venus_core(market: Market, calls: Calls) -> Figures:
    return _figures(market, calls, _effective_threshold, has_vai=True)


def _figures(
    market: Market, calls: Calls, threshold_of: Threshold, *, price_first: bool = False, has_vai: bool = False
) -> Figures:
    comptroller, owner = market.contract("comptroller"), market.owner
    oracle = calls.address(comptroller, ORACLE)
    entered = calls.list(comptroller, GET_ASSETS_IN, owner)
    legs: list[Leg] = []
    collateral = weighted = debt = 0
    for word in calls.list(comptroller, GET_ALL_MARKETS):
        token = address_of(word)
        tokens = calls.word(token, BALANCE_OF, owner)
        borrowed = calls.word(token, BORROW_BALANCE_CURRENT, owner)
        if tokens == borrowed == 0:
            continue
        rate = calls.word(token, EXCHANGE_RATE_CURRENT)
        price = calls.attempt_word(oracle, GET_UNDERLYING_PRICE, word) or 0
        threshold = threshold_of(calls, comptroller, owner, word)
        is_native = token == market.contracts.get("nativeMarket")
        asset = NATIVE if is_native else calls.address(token, UNDERLYING)
        decimals = NATIVE_DECIMALS if is_native else calls.decimals(asset)
        priced = Priced(asset, decimals, price, PRICE_DECIMALS - decimals, oracle)
        if tokens:
            secured = priced.secured(tokens * rate // WAD, threshold // FACTOR_PER_BPS)
            legs.append(secured if word in entered else secured.unmarked())
        if borrowed:
            legs.append(priced.owed(borrowed))
        if word in entered:
            token_price = rate * price // WAD
            if price_first:
                weight = threshold * token_price // WAD
            else:
                weight = (threshold * rate // WAD) * price // WAD
            collateral += token_price * tokens // WAD
            weighted += weight * tokens // WAD
            debt += price * borrowed // WAD
    if has_vai:
        controller = calls.word(comptroller, VAI_CONTROLLER)
        vai = calls.word(address_of(controller), GET_VAI_REPAY_AMOUNT, owner) if controller else 0
        debt += vai
        if vai:
            legs.append(dollar(address_of(controller), VAI_DECIMALS, address_of(controller)).owed(vai))
    return Figures(legs, collateral, debt, weighted * WAD // debt if debt else None)
