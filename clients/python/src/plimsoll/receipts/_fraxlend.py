"""Fraxlend: one pair."""

from __future__ import annotations

from typing import Optional

from ._calls import Calls, address_of
from ._position import NO_POSITION, WAD, Figures, Leg, Market, Priced, divide_up, shown

GET_ALL_PAIR_ADDRESSES = "0x607b6d16"
ASSET = "0x38d52e0f"
COLLATERAL_CONTRACT = "0xc6e1c7c9"
MAX_LTV = "0xf384bd05"
GET_USER_SNAPSHOT = "0xb68d0a09"
TOTAL_BORROW = "0x8285ef40"
TOTAL_ASSET = "0xf9557ccb"
PREVIEW_ADD_INTEREST = "0xcacf3b58"
ADD_INTEREST = "0x0d09365c"
UPDATE_EXCHANGE_RATE = "0x02ce728f"

LTV_PRECISION = 100_000
LTV_PER_BPS = 10
MOST_ACCRUED = 2**128 - 1


def fraxlend(market: Market, calls: Calls) -> Figures:
    number = market.number()
    if number not in calls.list(market.contract("registry"), GET_ALL_PAIR_ADDRESSES):
        return NO_POSITION
    pair = address_of(number)
    asset, token = calls.address(pair, ASSET), calls.address(pair, COLLATERAL_CONTRACT)
    asset_decimals = calls.decimals(asset)
    max_ltv = calls.word(pair, MAX_LTV)
    lent_shares, borrow_shares, collateral = calls.words(pair, GET_USER_SNAPSHOT, market.owner, count=3)[:3]
    (borrowed, all_borrowed), (lent, all_lent) = _totals(calls, pair)
    rate = _exchange_rate(calls, pair)
    debt = divide_up(borrow_shares * borrowed, all_borrowed) if all_borrowed else borrow_shares

    in_asset = Priced(asset, asset_decimals, 1, 0, pair)
    legs: list[Leg] = []
    if collateral:
        decimals = calls.decimals(token)
        price = WAD * WAD // rate if rate else 0
        priced = shown(token, decimals, price, 18 + asset_decimals - decimals, pair)
        legs.append(priced.secured(collateral, max_ltv // LTV_PER_BPS))
    if lent_shares:
        legs.append(in_asset.lent(lent_shares * lent // all_lent if all_lent else lent_shares))
    if borrow_shares:
        legs.append(in_asset.owed(debt))
    value = collateral * WAD // rate if rate else 0
    return Figures(legs, value, debt, _health_factor(collateral, debt * rate, max_ltv))


def _health_factor(collateral: int, owed: int, max_ltv: int) -> Optional[int]:
    if owed == 0 or max_ltv == 0:
        return None
    exact = collateral * WAD * max_ltv * WAD // (owed * LTV_PRECISION)
    is_solvent = collateral > 0 and owed // WAD * LTV_PRECISION // collateral <= max_ltv
    return max(exact, WAD) if is_solvent else exact


def _totals(calls: Calls, pair: str) -> tuple[tuple[int, int], tuple[int, int]]:
    """Amount and shares of the debts and of the assets, with interest."""
    borrowed, all_borrowed = calls.words(pair, TOTAL_BORROW, count=2)[:2]
    lent, all_lent = calls.words(pair, TOTAL_ASSET, count=2)[:2]
    preview = calls.attempt(pair, PREVIEW_ADD_INTEREST)
    has_preview = preview is not None and len(preview) >= 3
    accrued = calls.words(pair, PREVIEW_ADD_INTEREST if has_preview else ADD_INTEREST, count=3)
    interest, fee_shares = accrued[0], accrued[2]
    if max(borrowed, lent) + interest > MOST_ACCRUED:
        return (borrowed, all_borrowed), (lent, all_lent)
    return (borrowed + interest, all_borrowed), (lent + interest, all_lent + fee_shares)


def _exchange_rate(calls: Calls, pair: str) -> int:
    found = calls.words(pair, UPDATE_EXCHANGE_RATE)
    return found[0] if len(found) == 1 else calls.words(pair, UPDATE_EXCHANGE_RATE, count=3)[1]
