"""Liquity v1 and v2: one trove."""

from __future__ import annotations

from ._calls import Calls
from ._position import NO_POSITION, WAD, Figures, Market, Priced, dollar

PRICE_FEED = "0x741bef1a"
LUSD_TOKEN = "0xb83f91a2"
STABILITY_POOL = "0x048c661d"
MCR = "0x794e5724"
CCR = "0x5733d58f"
GET_TCR = "0xb82f263d"
GET_TOTAL_LUSD_DEPOSITS = "0x9bf2f1ac"
GET_MAX_AMOUNT_TO_OFFSET = "0xec6987de"
GET_TROVE_STATUS = "0x21e37801"
GET_ENTIRE_DEBT_AND_COLL = "0xb91af97c"
FETCH_PRICE = "0x0fdb11cf"

GET_TROVE_MANAGER = "0x0bc17feb"
GET_TOKEN = "0xe4b50cb8"
BOLD_TOKEN = "0x630afce5"
TROVE_NFT = "0x059e0113"
OWNER_OF = "0x6352211e"
BORROWER_OPERATIONS = "0x77553ad4"
GET_LATEST_TROVE_DATA = "0xaad3f404"
GET_UNBACKED_PORTION_PRICE_AND_REDEEMABILITY = "0x4ea15f37"

ACTIVE = 1
NATIVE = "0x" + "0" * 40
PRICE_DECIMALS = 18
#: Of every token.
DECIMALS = 18


def liquity_v1(market: Market, calls: Calls) -> Figures:
    manager, owner = market.contract("troveManager"), market.owner
    if calls.word(manager, GET_TROVE_STATUS, owner) != ACTIVE:
        return NO_POSITION
    debt, collateral = calls.words(manager, GET_ENTIRE_DEBT_AND_COLL, owner, count=2)[:2]
    feed = calls.address(manager, PRICE_FEED)
    price = calls.word(feed, FETCH_PRICE)
    pool = calls.address(manager, STABILITY_POOL)
    least, critical = calls.word(manager, MCR), calls.word(manager, CCR)
    total = calls.word(manager, GET_TCR, price)
    most_offset = calls.attempt_word(pool, GET_MAX_AMOUNT_TO_OFFSET)
    offset = calls.word(pool, GET_TOTAL_LUSD_DEPOSITS) if most_offset is None else most_offset
    minimum = total if least < total < critical and debt <= offset else least
    secured = Priced(NATIVE, DECIMALS, price, PRICE_DECIMALS, feed)
    return _trove(secured, dollar(calls.address(manager, LUSD_TOKEN), DECIMALS, feed), collateral, debt, minimum)


def liquity_v2(market: Market, calls: Calls) -> Figures:
    registry = market.contract("collateralRegistry")
    before, _, after = market.sub_id.partition(":")
    branch, trove = market.number(before), market.number(after)
    manager = calls.address(registry, GET_TROVE_MANAGER, branch)
    if calls.attempt_word(calls.address(manager, TROVE_NFT), OWNER_OF, trove) != market.owner:
        return NO_POSITION
    debt, collateral = calls.words(manager, GET_LATEST_TROVE_DATA, trove, count=2)[:2]
    price, oracle = _price(market, calls, manager)
    minimum = calls.word(calls.address(manager, BORROWER_OPERATIONS), MCR)
    secured = Priced(calls.address(registry, GET_TOKEN, branch), DECIMALS, price, PRICE_DECIMALS, oracle)
    return _trove(secured, dollar(calls.address(registry, BOLD_TOKEN), DECIMALS, oracle), collateral, debt, minimum)


def _trove(secured: Priced, owed: Priced, collateral: int, debt: int, minimum: int) -> Figures:
    legs = [secured.secured(collateral, WAD * 10_000 // minimum), owed.owed(debt)]
    factor = (collateral * secured.price // debt) * WAD // minimum if debt else None
    return Figures(legs, collateral * secured.price // WAD, debt, factor)


def _price(market: Market, calls: Calls, manager: str) -> tuple[int, str]:
    """The price of a branch, and the contract that states it."""
    for name, address in market.contracts.items():
        if name.startswith("branches.") and name.endswith(".troveManager") and address == manager:
            feed = market.contracts.get(name[: -len("troveManager")] + "priceFeed")
            if feed is not None:
                return calls.word(feed, FETCH_PRICE), feed
    return calls.words(manager, GET_UNBACKED_PORTION_PRICE_AND_REDEEMABILITY, count=2)[1], manager
