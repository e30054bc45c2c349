"""Fluid: the position of an NFT."""

from __future__ import annotations

from ._calls import Calls, address_of, signed
from ._position import NO_POSITION, WAD, Figures, Leg, Market, Priced, divide_up, shown

POSITIONS_NFT_ID_OF_USER = "0xc67b5093"
VAULT_BY_NFT_ID = "0x1949138e"
POSITION_BY_NFT_ID = "0x144128e8"
GET_VAULT_ENTIRE_DATA = "0x09c062e2"

NATIVE = "0x" + "e" * 40
#: Of the coin of the chain, and of shares of a DEX.
OWN_DECIMALS = 18
PRICE_DECIMALS = 27
MOST_RAW_PRICE = 10**45
TICK_BITS = 15


def fluid(market: Market, calls: Calls) -> Figures:
    resolver, nft = market.contract("vaultResolver"), market.number()
    if nft not in calls.list(resolver, POSITIONS_NFT_ID_OF_USER, market.owner):
        return NO_POSITION
    vault = calls.words(resolver, GET_VAULT_ENTIRE_DATA, calls.word(resolver, VAULT_BY_NFT_ID, nft), count=42)
    position = calls.words(resolver, POSITION_BY_NFT_ID, nft, count=12)
    tick, supply, borrow, dust = signed(position[4]), position[9], position[10], position[11]
    threshold, oracle, price = vault[24], address_of(vault[29]), vault[31]
    debt = borrow + dust

    secured_asset, secured_decimals = _side(calls, vault[1], vault[9], vault[11])
    owed_asset, owed_decimals = _side(calls, vault[2], vault[10], vault[13])
    legs: list[Leg] = []
    if supply:
        decimals = PRICE_DECIMALS + owed_decimals - secured_decimals
        legs.append(shown(secured_asset, secured_decimals, price, decimals, oracle).secured(supply, threshold))
    if debt:
        legs.append(Priced(owed_asset, owed_decimals, 1, 0, oracle).owed(debt))
    factor = None
    if debt:
        raw_price = min(price * vault[40] // vault[41], MOST_RAW_PRICE)
        limit = (raw_price * 2**96 // 10**PRICE_DECIMALS) * (threshold // 10) // 1_000
        factor = limit * WAD // _ratio(tick)
    return Figures(legs, supply * price // 10**PRICE_DECIMALS, debt, factor)


def _side(calls: Calls, is_shared: int, shares: int, token: int) -> tuple[str, int]:
    """The asset of a side with its decimals."""
    if is_shared:
        return address_of(shares), OWN_DECIMALS
    asset = address_of(token)
    return asset, OWN_DECIMALS if asset == NATIVE else calls.decimals(asset)


def _ratio(tick: int) -> int:
    """1.0015 to the power of a tick, with 96 fractional bits."""
    inverse = 1 << 128
    for bit in range(TICK_BITS):
        if abs(tick) >> bit & 1:
            over, under = 10_000 ** (1 << bit), 10_015 ** (1 << bit)
            inverse = inverse * ((2 * (over << 128) + under) // (2 * under)) >> 128
    return inverse >> 32 if tick < 0 else divide_up(((1 << 256) - 1) // inverse, 1 << 32)
