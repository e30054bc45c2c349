"""What a formula takes, and what it gives."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Optional

from ._calls import MOST_DECIMALS
from ._differences import Difference

WAD = 10**18
_NUMBER = re.compile("0x[0-9a-f]+|[0-9]*")
RAY = 10**27


@dataclass(frozen=True)
class Market:
    """The position that a formula computes."""

    contracts: Mapping[str, str]
    wallet: str
    sub_id: str
    #: Unix seconds of the block.
    timestamp: int

    def contract(self, name: str) -> str:
        """Return a contract of the market. Raises Difference when the receipt does not name it."""
        if name not in self.contracts:
            raise Difference("contract_missing", f"the receipt names no {name}")
        return self.contracts[name]

    def number(self, digits: Optional[str] = None) -> int:
        """Return the sub-id, or a part of it, as a number. Raises Difference when it is none."""
        text = self.sub_id if digits is None else digits
        if not _NUMBER.fullmatch(text):
            raise Difference("contract_missing", f"{text} is no number")
        return int(text, 16) if text.startswith("0x") else int(text or "0")

    @property
    def owner(self) -> int:
        return int(self.wallet, 16)


@dataclass(frozen=True)
class Leg:
    """A side of an asset."""

    asset: str
    side: str
    amount: int
    #: Of the amount.
    decimals: int
    price: int
    price_decimals: int
    oracle: str
    threshold_bps: int = 0
    used_as_collateral: bool = False

    def unmarked(self) -> Leg:
        """The same supply of a wallet that did not mark it as collateral."""
        return replace(self, used_as_collateral=False)


@dataclass(frozen=True)
class Priced:
    """An asset with its price."""

    asset: str
    #: Of an amount.
    decimals: int
    price: int
    price_decimals: int
    oracle: str

    def secured(self, amount: int, threshold_bps: int) -> Leg:
        return replace(self.lent(amount), threshold_bps=threshold_bps, used_as_collateral=True)

    def lent(self, amount: int) -> Leg:
        return self._leg("collateral", amount)

    def owed(self, amount: int) -> Leg:
        return self._leg("debt", amount)

    def _leg(self, side: str, amount: int) -> Leg:
        return Leg(self.asset, side, amount, self.decimals, self.price, self.price_decimals, self.oracle)


def dollar(asset: str, decimals: int, oracle: str) -> Priced:
    """An asset that the protocol counts at one dollar."""
    return Priced(asset, decimals, WAD, 18, oracle)


def shown(asset: str, decimals: int, price: int, price_decimals: int, oracle: str) -> Priced:
    """A price of any precision with at most 36 decimals, and at least none."""
    if price_decimals > MOST_DECIMALS:
        return Priced(asset, decimals, price // 10 ** (price_decimals - MOST_DECIMALS), MOST_DECIMALS, oracle)
    if price_decimals < 0:
        return Priced(asset, decimals, price * 10**-price_decimals, 0, oracle)
    return Priced(asset, decimals, price, price_decimals, oracle)


@dataclass(frozen=True)
class Figures:
    legs: list[Leg]
    total_collateral: int
    total_debt: int
    #: 18 decimals. None without debt.
    health_factor: Optional[int]


#: The wallet does not have the position.
NO_POSITION = Figures([], 0, 0, None)


def power_of_ten(exponent: int) -> int:
    """Raises Difference for a negative exponent, which no contract of a family has."""
    if exponent < 0:
        raise Difference("contract_missing", f"10 to the power of {exponent} is no whole number")
    power: int = 10**exponent
    return power


def divide_up(numerator: int, divisor: int) -> int:
    return -(-numerator // divisor)


def divide_half_up(numerator: int, divisor: int) -> int:
    return (numerator + divisor // 2) // divisor
