"""Dolomite: an account of a wallet, or of one of its isolation vaults."""

from __future__ import annotations

from ._calls import Calls, address_of, list_at
from ._position import NO_POSITION, WAD, Figures, Leg, Market, shown

GET_NUM_MARKETS = "0x295c39a5"
GET_MARKET_TOKEN_ADDRESS = "0x062bd3e9"
IS_ISOLATION_ASSET = "0xed4e3a35"
GET_VAULT_BY_ACCOUNT = "0xb01f61e1"
GET_ACCOUNT_BALANCES = "0x6a8194e7"
GET_MARGIN_RATIO = "0x4f3c1542"
GET_MARGIN_RATIO_OVERRIDE_BY_ACCOUNT = "0x5d3c0ce8"
GET_MARKET_MARGIN_PREMIUM = "0xfd04b606"
GET_MARKET_PRICE = "0x8928378e"

VALUE_DECIMALS = 36


def dolomite(market: Market, calls: Calls) -> Figures:
    margin = market.contract("margin")
    owner_text, _, number = market.sub_id.rpartition(":")
    owner = market.number(owner_text) if owner_text else market.owner
    if owner != market.owner and not _owns_vault(calls, margin, market.owner, owner):
        return NO_POSITION
    account = owner, market.number(number)
    found = calls.words(margin, GET_ACCOUNT_BALANCES, *account, count=4)
    ids, pars, amounts = list_at(found, 0), list_at(found, 2, 2), list_at(found, 3, 2)
    override = calls.attempt_word(margin, GET_MARGIN_RATIO_OVERRIDE_BY_ACCOUNT, *account) or 0
    ratio = calls.word(margin, GET_MARGIN_RATIO)
    if override:
        ratio = override

    legs: list[Leg] = []
    collateral = debt = supply = borrow = 0
    for market_id, is_supply, par, amount in zip(ids, pars[::2], pars[1::2], amounts[1::2]):
        if par == 0:
            continue
        price = calls.attempt_word(margin, GET_MARKET_PRICE, market_id) or 0
        premium = calls.word(margin, GET_MARKET_MARGIN_PREMIUM, market_id)
        adjust = WAD if override else WAD + premium
        asset = calls.address(margin, GET_MARKET_TOKEN_ADDRESS, market_id)
        decimals = calls.decimals(asset)
        priced = shown(asset, decimals, price, VALUE_DECIMALS - decimals, margin)
        value = amount * price
        if is_supply:
            collateral += value
            supply += value * WAD // adjust
            legs.append(priced.secured(amount, WAD * 10_000 // ((WAD + ratio) * adjust // WAD)))
        else:
            debt += value
            borrow += value * adjust // WAD
            legs.append(priced.owed(amount))
    factor = supply * WAD // (borrow + borrow * ratio // WAD) if borrow else None
    return Figures(legs, collateral, debt, factor)


def _owns_vault(calls: Calls, margin: str, wallet: int, vault: int) -> bool:
    for market_id in range(calls.word(margin, GET_NUM_MARKETS)):
        token = calls.address(margin, GET_MARKET_TOKEN_ADDRESS, market_id)
        if calls.attempt_word(token, IS_ISOLATION_ASSET):
            if calls.attempt_word(token, GET_VAULT_BY_ACCOUNT, wallet) == vault:
                return True
    return False
