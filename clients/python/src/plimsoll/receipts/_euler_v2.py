"""Euler v2: a sub-account with a controller."""

from __future__ import annotations

from ._calls import Calls, address_of, list_at
from ._differences import Difference
from ._position import NO_POSITION, WAD, Figures, Leg, Market, Priced, shown

GET_ACCOUNT_OWNER = "0x442b172c"
GET_CONTROLLERS = "0xfd6046d7"
ORACLE = "0x7dc0d1d0"
UNIT_OF_ACCOUNT = "0x3e833364"
DEBT_OF = "0xd283e75f"
ACCOUNT_LIQUIDITY_FULL = "0xc7b0e3a3"
BALANCE_OF = "0x70a08231"
CONVERT_TO_ASSETS = "0x07a2d13a"
LTV_LIQUIDATION = "0xaf5aaeeb"
GET_QUOTE = "0xae68676c"
ASSET = "0x38d52e0f"

#: Of an asset or a unit of account that states none.
MISSING_DECIMALS = 18


def euler_v2(market: Market, calls: Calls) -> Figures:
    evc = market.contract("evc")
    account = market.owner ^ market.number()
    owner = calls.word(evc, GET_ACCOUNT_OWNER, account)
    if owner != market.owner and not (owner == 0 and account == market.owner):
        return NO_POSITION
    controllers = calls.list(evc, GET_CONTROLLERS, account)
    if not controllers:
        raise Difference("call_missing", "the sub-account has no controller")
    controller = address_of(controllers[0])
    oracle = calls.address(controller, ORACLE)
    unit = calls.word(controller, UNIT_OF_ACCOUNT)
    debt = calls.word(controller, DEBT_OF, account)
    liquidity = calls.words(controller, ACCOUNT_LIQUIDITY_FULL, account, 1, count=3)
    liability = liquidity[2]
    unit_decimals = _token(calls, unit)[1]

    def priced(vault: int, value: int, amount: int) -> Priced:
        asset, decimals = _token(calls, vault)
        return shown(asset, decimals, value * 10**decimals // amount if amount else 0, unit_decimals, oracle)

    legs: list[Leg] = []
    collateral = adjusted = 0
    for vault in list_at(liquidity, 0):
        shares = calls.word(address_of(vault), BALANCE_OF, account)
        if shares == 0:
            continue
        ltv = calls.word(controller, LTV_LIQUIDATION, vault)
        converted = calls.attempt_word(address_of(vault), CONVERT_TO_ASSETS, shares)
        amount = shares if converted is None else converted
        value = calls.word(oracle, GET_QUOTE, shares, vault, unit) if ltv else 0
        collateral += value
        adjusted += value * ltv // 10_000
        asset = priced(vault, value, amount)
        legs.append(asset.secured(amount, ltv) if ltv else asset.lent(amount))
    if debt:
        legs.append(priced(controllers[0], liability, debt).owed(debt))
    return Figures(legs, collateral, liability, adjusted * WAD // liability if liability else None)


def _token(calls: Calls, vault: int) -> tuple[str, int]:
    """The asset of a vault, or what it is itself, with its decimals."""
    asset = calls.attempt_word(address_of(vault), ASSET)
    token = address_of(vault if asset is None else asset)
    return token, calls.decimals(token, MISSING_DECIMALS)
