"""Silo v2: a market of two silos."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Optional

from ._calls import Calls, address_of
from ._position import WAD, Figures, Leg, Market, divide_up, shown

ID_TO_SILO_CONFIG = "0xde9bfd06"
GET_SILOS = "0xaecc90cb"
GET_CONFIG = "0xe48a5f7b"
GET_CONFIGS_FOR_SOLVENCY = "0x94c0527d"
TOTAL_SUPPLY = "0x18160ddd"
BALANCE_OF = "0x70a08231"
GET_TOTAL_ASSETS_STORAGE = "0xb6d821c7"
GET_COLLATERAL_ASSETS = "0xa1ff9bee"
GET_DEBT_ASSETS = "0xecd658b4"
QUOTE = "0x13b0be33"
QUOTE_TOKEN = "0x217a4b70"

PROTECTED = 0
#: Deposits start at a thousand shares for one asset.
SHARES_OFFSET = 1_000
UNNAMED_DECIMALS = 18
FACTOR_PER_BPS = 10**14


@dataclass(frozen=True)
class _Silo:
    address: int
    token: int
    #: 0: the token is the currency of the market.
    oracle: int
    threshold: int
    deposited: int
    debt: int


def silo_v2(market: Market, calls: Calls) -> Figures:
    config = calls.address(market.contract("factory"), ID_TO_SILO_CONFIG, market.number())
    silos = [_silo(calls, config, silo, market.owner) for silo in calls.words(config, GET_SILOS, count=2)[:2]]
    secured_by = calls.words(config, GET_CONFIGS_FOR_SOLVENCY, market.owner, count=3)[2]
    collateral_side = next((side for side, silo in enumerate(silos) if silo.address == secured_by), None)
    debt_side = next((side for side, silo in enumerate(silos) if silo.debt), None)
    is_same_token = collateral_side is not None and collateral_side == debt_side
    unit = silos[collateral_side].token if is_same_token and collateral_side is not None else _unit(calls, silos)
    unit_decimals = UNNAMED_DECIMALS if unit is None else calls.decimals(address_of(unit))

    legs: list[Leg] = []
    collateral = debt = 0
    for side, silo in enumerate(silos):
        token, oracle = address_of(silo.token), address_of(silo.oracle or silo.address)
        for amount, is_debt in ((silo.deposited, False), (silo.debt, True)):
            if amount == 0:
                continue
            has_quote = not is_same_token and silo.oracle != 0
            value = calls.word(oracle, QUOTE, amount, silo.token) if has_quote else amount
            decimals = calls.decimals(token)
            priced = shown(token, decimals, value * 10**decimals // amount, unit_decimals, oracle)
            counts = silo.threshold > 0 if collateral_side is None else collateral_side == side
            if is_debt:
                debt += value
                legs.append(priced.owed(amount))
            elif counts:
                collateral += value
                legs.append(priced.secured(amount, silo.threshold // FACTOR_PER_BPS))
            else:
                legs.append(priced.lent(amount))
    threshold = 0 if collateral_side is None else silos[collateral_side].threshold
    return Figures(legs, collateral, debt, _health_factor(collateral, debt, threshold))


def _health_factor(collateral: int, debt: int, threshold: int) -> Optional[int]:
    if debt == 0:
        return None
    return threshold * WAD // divide_up(debt * WAD, collateral) if collateral else 0


def _silo(calls: Calls, config: str, address: int, owner: int) -> _Silo:
    parts = calls.words(config, GET_CONFIG, address, count=12)
    silo, token = parts[2], parts[3]
    protected, deposits, debts = (address_of(word) for word in parts[4:7])

    def total(shares: str) -> int:
        return calls.word(shares, TOTAL_SUPPLY)

    def own(shares: str) -> int:
        return calls.word(shares, BALANCE_OF, owner)

    def deposited(shares: str, assets: int) -> int:
        everyone = total(shares)
        return own(shares) * ((assets if everyone else 0) + 1) // (everyone + SHARES_OFFSET)

    contract = address_of(silo)
    deposit = deposited(protected, calls.word(contract, GET_TOTAL_ASSETS_STORAGE, PROTECTED))
    deposit += deposited(deposits, calls.word(contract, GET_COLLATERAL_ASSETS))
    owed, everyone = calls.word(contract, GET_DEBT_ASSETS), total(debts)
    debt = divide_up(own(debts) * owed, everyone) if everyone else own(debts)
    return _Silo(silo, token, oracle=parts[7], threshold=parts[11], deposited=deposit, debt=debt)


def _unit(calls: Calls, silos: list[_Silo]) -> Optional[int]:
    """The currency of the quotes. None when the oracle does not name it."""
    oracle = next((silo.oracle for silo in silos if silo.oracle), None)
    return silos[0].token if oracle is None else calls.attempt_word(address_of(oracle), QUOTE_TOKEN)
