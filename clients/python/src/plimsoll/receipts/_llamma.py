"""The markets of Curve: those that mint crvUSD, and those of LlamaLend."""

from __future__ import annotations

from ._calls import Calls, address_of, signed
from ._position import NO_POSITION, WAD, Figures, Leg, Market, Priced, dollar, power_of_ten

COINS = "0xc6610657"
MARKET_COUNT = "0xfd775c78"
VAULTS = "0x8c64ea4a"
MARKETS = "0xb1283e77"
CONTROLLER = "0xf77c4791"
AMM = "0x2a943945"
BORROWED_TOKEN = "0x765337b6"
COLLATERAL_TOKEN = "0x2621db2f"
LOAN_EXISTS = "0xa21adb9e"
USER_STATE = "0xec74d0a8"
HEALTH = "0x8908ea82"
LIQUIDATION_DISCOUNTS = "0x5457ff7b"
PRICE_ORACLE = "0x86fc88d3"

PRICE_DECIMALS = 18
FACTOR_PER_BPS = 10**14


def llamma_mint(market: Market, calls: Calls) -> Figures:
    controller, amm = market.contract("controller"), market.contract("amm")
    borrowed, collateral = calls.address(amm, COINS, 0), calls.address(amm, COINS, 1)
    return _loan(calls, controller, amm, borrowed, collateral, market.owner)


def llamma(market: Market, calls: Calls) -> Figures:
    factory, wanted = market.contract("oneWayFactory"), market.number()
    for place in range(calls.word(factory, MARKET_COUNT)):
        vault = calls.address(factory, VAULTS, place)
        controller, amm, borrowed, collateral = (
            calls.address(vault, selector) for selector in (CONTROLLER, AMM, BORROWED_TOKEN, COLLATERAL_TOKEN)
        )
        if controller == address_of(wanted):
            return _loan(calls, controller, amm, borrowed, collateral, market.owner)
    return NO_POSITION


def llamma_second(market: Market, calls: Calls) -> Figures:
    factory, wanted = market.contract("oneWayFactoryV2"), market.number()
    for place in range(calls.word(factory, MARKET_COUNT)):
        parts = calls.words(factory, MARKETS, place, count=5)
        controller, amm, collateral, borrowed = (address_of(word) for word in parts[1:5])
        if controller == address_of(wanted):
            return _loan(calls, controller, amm, borrowed, collateral, market.owner)
    return NO_POSITION


def _loan(calls: Calls, controller: str, amm: str, borrowed: str, token: str, owner: int) -> Figures:
    if not calls.word(controller, LOAN_EXISTS, owner):
        return NO_POSITION
    collateral, converted, debt = calls.words(controller, USER_STATE, owner, count=3)[:3]
    health = signed(calls.word(controller, HEALTH, owner, 1))
    threshold = (WAD - calls.word(controller, LIQUIDATION_DISCOUNTS, owner)) // FACTOR_PER_BPS
    price = calls.word(amm, PRICE_ORACLE)
    decimals, borrowed_decimals = calls.decimals(token), calls.decimals(borrowed)
    more_decimals = decimals + PRICE_DECIMALS - borrowed_decimals
    in_borrowed = dollar(borrowed, borrowed_decimals, amm)
    legs: list[Leg] = []
    if collateral:
        legs.append(Priced(token, decimals, price, PRICE_DECIMALS, amm).secured(collateral, threshold))
    if converted:
        legs.append(in_borrowed.secured(converted, threshold))
    legs.append(in_borrowed.owed(debt))
    value = collateral * price // power_of_ten(more_decimals) + converted
    return Figures(legs, value, debt, max(WAD + health, 0))
