"""Maker (Sky): a vault, an urn of an engine, or another urn of the vat."""

from __future__ import annotations

from typing import Optional

from ._calls import Calls, address_of, list_at
from ._differences import Difference
from ._position import NO_POSITION, RAY, WAD, Figures, Leg, Market, Priced, divide_half_up, divide_up, dollar

PROXIES = "0xc4552791"
OWNER = "0x8da5cb5b"
GET_CDPS_ASC = "0x1ce03f38"
OWNER_URNS_COUNT = "0xa1c03731"
OWNER_URNS = "0xd9f06192"
ILK = "0xc5ce281e"
USDS = "0x4cf282fb"
PROXY = "0x06713c3e"
URNS = "0x2424be5c"
ILKS = "0xd9638d36"
BASE = "0x5001f3b5"
PAR = "0x495d32cb"
GEM = "0x41f0b723"

PRICE_DECIMALS = 27
#: The vat counts every token with 18.
DECIMALS = 18
ENGINES = ("lockstakeEngine", "lockstakeEngineV1")

#: Ilk and urn.
Urn = tuple[int, int]


def maker(market: Market, calls: Calls) -> Figures:
    found = _find(market, calls)
    if found is None:
        return NO_POSITION
    ilk, urn = found
    vat, jug, spot_contract = (market.contract(name) for name in ("vat", "jug", "spot"))
    ink, art = calls.words(vat, URNS, ilk, urn, count=2)[:2]
    _, stored, spot = calls.words(vat, ILKS, ilk, count=3)[:3]
    duty, last_drip = calls.words(jug, ILKS, ilk, count=2)[:2]
    rate = _power(calls.word(jug, BASE) + duty, market.timestamp - last_drip) * stored // RAY
    required = calls.words(spot_contract, ILKS, ilk, count=2)[1]
    price = (spot * required // RAY) * calls.word(spot_contract, PAR) // RAY
    owed = art * rate

    legs: list[Leg] = []
    if ink:
        asset = calls.address(market.contract("ilkRegistry"), GEM, ilk)
        threshold = 10_000 * RAY // required if required else 0
        legs.append(Priced(asset, DECIMALS, price, PRICE_DECIMALS, spot_contract).secured(ink, threshold))
    if art:
        engine = next((each for each in _engines(market) if calls.word(each, ILK) == ilk), None)
        lent = market.contract("dai") if engine is None else calls.address(engine, USDS)
        legs.append(dollar(lent, DECIMALS, spot_contract).owed(divide_up(owed, RAY)))
    factor = ink * spot * WAD // owed if owed and spot else None
    return Figures(legs, ink * price // RAY, divide_up(owed, RAY), factor)


def _engines(market: Market) -> list[str]:
    return [market.contracts[name] for name in ENGINES if name in market.contracts]


def _find(market: Market, calls: Calls) -> Optional[Urn]:
    own = _urn_of(market, calls, market.owner)
    registry = market.contracts.get("proxyRegistry")
    if own is not None or registry is None:
        return own
    proxy = calls.word(registry, PROXIES, market.owner)
    if proxy and calls.word(address_of(proxy), OWNER) == market.owner:
        return _urn_of(market, calls, proxy)
    return None


def _urn_of(market: Market, calls: Calls, owner: int) -> Optional[Urn]:
    if ":" in market.sub_id:
        return _raw(market, calls, owner)
    return _staked(market, calls, owner) if market.sub_id.startswith("0x") else _managed(market, calls, owner)


def _managed(market: Market, calls: Calls, owner: int) -> Optional[Urn]:
    manager = int(market.contract("cdpManager"), 16)
    lists = calls.words(market.contract("getCdps"), GET_CDPS_ASC, manager, owner, count=3)
    ids, urns, ilks = (list_at(lists, head) for head in range(3))
    number = market.number()
    return next(((ilk, urn) for id_, urn, ilk in zip(ids, urns, ilks) if id_ == number), None)


def _staked(market: Market, calls: Calls, owner: int) -> Optional[Urn]:
    urn = market.number()
    for engine in _engines(market):
        for index in range(calls.word(engine, OWNER_URNS_COUNT, owner)):
            if calls.word(engine, OWNER_URNS, owner, index) == urn:
                return calls.word(engine, ILK), urn
    return None


def _raw(market: Market, calls: Calls, owner: int) -> Optional[Urn]:
    name, _, address = market.sub_id.rpartition(":")
    urn = market.number(address)
    cropper = market.contracts.get("cropper")
    if urn != owner and (cropper is None or calls.word(cropper, PROXY, owner) != urn):
        return None
    encoded = name.encode()
    if len(encoded) > 32:
        raise Difference("contract_missing", f"{name} is no ilk")
    return int.from_bytes(encoded.ljust(32, b"\0"), "big"), urn


def _power(base: int, exponent: int) -> int:
    """A power in ray, each step rounded half up."""
    if base == 0:
        return 0 if exponent else RAY
    result = base if exponent % 2 else RAY
    rest = exponent // 2
    while rest > 0:
        base = divide_half_up(base * base, RAY)
        if rest % 2:
            result = divide_half_up(result * base, RAY)
        rest //= 2
    return result
