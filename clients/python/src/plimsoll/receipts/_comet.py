"""Compound v3: a comet with one base asset."""

from __future__ import annotations

from ._calls import Calls, address_of, signed
from ._position import WAD, Figures, Leg, Market, Priced

BASE_TOKEN = "0xc55dae63"
BASE_TOKEN_PRICE_FEED = "0xe7dad6bd"
TOTALS_BASIC = "0xb9f0baf7"
GET_UTILIZATION = "0x7eb71131"
GET_SUPPLY_RATE = "0xd955759d"
GET_BORROW_RATE = "0x9fa83b5a"
GET_PRICE = "0x41976e09"
NUM_ASSETS = "0xa46fe83b"
GET_ASSET_INFO = "0xc8c7fe6b"
USER_COLLATERAL = "0x2b92a07d"
USER_BASIC = "0xdc4abafd"

PRICE_DECIMALS = 8
BASE_INDEX_SCALE = 10**15
#: Factors have 18 decimals, basis points 4.
FACTOR_PER_BPS = 10**14


def comet(market: Market, calls: Calls) -> Figures:
    contract, owner = market.contract("comet"), market.owner
    base = calls.address(contract, BASE_TOKEN)
    base_feed = calls.word(contract, BASE_TOKEN_PRICE_FEED)
    base_decimals = calls.decimals(base)
    base_price = calls.word(contract, GET_PRICE, base_feed)

    legs: list[Leg] = []
    collateral = weighted = 0
    for position in range(calls.word(contract, NUM_ASSETS)):
        # Offset, asset, price feed, scale, borrow collateral factor, liquidate collateral factor.
        info = calls.words(contract, GET_ASSET_INFO, position, count=6)
        asset, feed, scale, factor = info[1], info[2], info[3], info[5]
        balance = calls.word(contract, USER_COLLATERAL, owner, asset)
        if balance == 0:
            continue
        price = calls.word(contract, GET_PRICE, feed)
        value = balance * price // scale
        collateral += value
        weighted += value * factor // WAD
        threshold = factor // FACTOR_PER_BPS
        priced = Priced(address_of(asset), len(str(scale)) - 1, price, PRICE_DECIMALS, address_of(feed))
        legs.append(priced.secured(balance, threshold))

    principal = signed(calls.word(contract, USER_BASIC, owner))
    supply_index, borrow_index = _accrued_indices(calls, contract, market.timestamp)
    index = supply_index if principal > 0 else borrow_index
    amount = abs(principal) * index // BASE_INDEX_SCALE
    if principal:
        priced = Priced(base, base_decimals, base_price, PRICE_DECIMALS, address_of(base_feed))
        legs.append(priced.lent(amount) if principal > 0 else priced.owed(amount))
    debt = amount * base_price // 10**base_decimals if principal < 0 else 0
    return Figures(legs, collateral, debt, weighted * WAD // debt if debt else None)


def _accrued_indices(calls: Calls, contract: str, timestamp: int) -> tuple[int, int]:
    """Indices of supply and debt at the time of the block."""
    # Indices of supply, debt and tracking (2), totals of supply and debt, time of the last accrual.
    totals = calls.words(contract, TOTALS_BASIC, count=7)
    utilization = calls.word(contract, GET_UTILIZATION)
    seconds = timestamp - totals[6]
    supply_rate = calls.word(contract, GET_SUPPLY_RATE, utilization)
    borrow_rate = calls.word(contract, GET_BORROW_RATE, utilization)
    supply, borrow = (
        index + index * (rate * seconds) // WAD
        for index, rate in ((totals[0], supply_rate), (totals[1], borrow_rate))
    )
    return supply, borrow

