"""Morpho Blue: one market of the contract."""

from __future__ import annotations

from ._calls import Calls, address_of
from ._position import WAD, Figures, Leg, Market, Priced, divide_up, shown

ID_TO_MARKET_PARAMS = "0x2c3c9157"
MARKET = "0x5c60e39a"
POSITION = "0x93c52062"
BORROW_RATE_VIEW = "0x8c00bf6b"
PRICE = "0xa035b1fe"

ORACLE_DECIMALS = 36
#: Keep the first supplier of an empty market from inflating a share.
VIRTUAL_SHARES = 10**6
VIRTUAL_ASSETS = 1
FACTOR_PER_BPS = 10**14


def morpho_blue(market: Market, calls: Calls) -> Figures:
    contract, market_id = market.contract("morpho"), market.number()
    params = calls.words(contract, ID_TO_MARKET_PARAMS, market_id, count=5)[:5]
    state = calls.words(contract, MARKET, market_id, count=6)[:6]
    loan, collateral_token, oracle, rate_model, lltv = params
    supply_assets, supply_shares, borrow_assets, borrow_shares, last_update, fee = state
    if rate_model:
        rate = calls.word(address_of(rate_model), BORROW_RATE_VIEW, *params, *state)
        interest = borrow_assets * _growth(rate, market.timestamp - last_update) // WAD
        borrow_assets += interest
        supply_assets += interest
        fee_assets = interest * fee // WAD
        # The recipient of the fee gets new shares, at their price before the fee.
        supply_shares += (
            fee_assets * (supply_shares + VIRTUAL_SHARES) // (supply_assets - fee_assets + VIRTUAL_ASSETS)
        )

    own_supply, own_borrow, collateral = calls.words(contract, POSITION, market_id, market.owner, count=3)[:3]
    supplied = own_supply * (supply_assets + VIRTUAL_ASSETS) // (supply_shares + VIRTUAL_SHARES)
    owed = divide_up(own_borrow * (borrow_assets + VIRTUAL_ASSETS), borrow_shares + VIRTUAL_SHARES)
    price = calls.word(address_of(oracle), PRICE)
    value = collateral * price // 10**ORACLE_DECIMALS
    may_owe = value * lltv // WAD

    loan_decimals = calls.decimals(address_of(loan))
    legs: list[Leg] = []
    if collateral:
        decimals = calls.decimals(address_of(collateral_token))
        price_decimals = ORACLE_DECIMALS + loan_decimals - decimals
        priced = shown(address_of(collateral_token), decimals, price, price_decimals, address_of(oracle))
        legs.append(priced.secured(collateral, lltv // FACTOR_PER_BPS))
    # The loan token is the unit of value of the market, so its price is 1.
    in_loan = Priced(address_of(loan), loan_decimals, 10**loan_decimals, loan_decimals, contract)
    if own_supply:
        legs.append(in_loan.lent(supplied))
    if own_borrow:
        legs.append(in_loan.owed(owed))
    return Figures(legs, value, owed, may_owe * WAD // owed if owed else None)


def _growth(rate: int, seconds: int) -> int:
    """Three terms of e^x - 1 with 18 decimals, each rounded down."""
    first = rate * seconds
    second = first * first // (2 * WAD)
    return first + second + second * first // (3 * WAD)

