"""Aave v4: one spoke."""

from __future__ import annotations

from ._calls import Calls, address_of, signed
from ._position import RAY, Figures, Leg, Market, Priced, divide_up, power_of_ten

ORACLE = "0x38013f02"
GET_RESERVE_COUNT = "0x99806546"
GET_USER_POSITION = "0x869da9db"
GET_RESERVE = "0x77778db3"
GET_ASSET_DRAWN_INDEX = "0xb5f460c8"
GET_USER_RESERVE_STATUS = "0xa2a522f1"
GET_USER_SUPPLIED_ASSETS = "0xf1568a89"
GET_DYNAMIC_RESERVE_CONFIG = "0xec17bb00"
GET_RESERVE_PRICE = "0xd45c35ff"

PRICE_DECIMALS = 8


def aave_v4(market: Market, calls: Calls) -> Figures:
    spoke, owner = market.contract("spoke"), market.owner
    oracle = calls.address(spoke, ORACLE)
    legs: list[Leg] = []
    collateral = weighted = debt_ray = 0
    for reserve in range(calls.word(spoke, GET_RESERVE_COUNT)):
        own = calls.words(spoke, GET_USER_POSITION, reserve, owner, count=5)
        drawn_shares, premium_shares, offset, supplied_shares, key = own[:5]
        if drawn_shares == premium_shares == supplied_shares == 0:
            continue
        asset, hub, asset_id, decimals = calls.words(spoke, GET_RESERVE, reserve, count=4)[:4]
        is_collateral = calls.word(spoke, GET_USER_RESERVE_STATUS, reserve, owner) != 0
        supplied = calls.word(spoke, GET_USER_SUPPLIED_ASSETS, reserve, owner)
        factor = calls.word(spoke, GET_DYNAMIC_RESERVE_CONFIG, reserve, key)
        price = calls.word(oracle, GET_RESERVE_PRICE, reserve)
        index = calls.word(address_of(hub), GET_ASSET_DRAWN_INDEX, asset_id)
        drawn, premium = drawn_shares * index, premium_shares * index - signed(offset)
        owed = divide_up(drawn, RAY) + divide_up(premium, RAY)
        priced = Priced(address_of(asset), decimals, price, PRICE_DECIMALS, oracle)
        unit_value = price * power_of_ten(18 - decimals)
        counts = is_collateral and factor > 0
        if counts:
            collateral += supplied * unit_value
            weighted += supplied * unit_value * factor
        debt_ray += (drawn + premium) * unit_value
        if supplied_shares:
            legs.append(priced.secured(supplied, factor) if counts else priced.lent(supplied))
        if owed:
            legs.append(priced.owed(owed))
    health = weighted * 10**14 * RAY // debt_ray if debt_ray else None
    return Figures(legs, collateral, divide_up(debt_ray, RAY), health)
