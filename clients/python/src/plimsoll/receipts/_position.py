"""What a formula takes, and what it gives."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Optional

from ._differences import Difference

WAD = 10**18
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

    @property
    def owner(self) -> int:
        return int(self.wallet, 16)


@dataclass(frozen=True)
class Leg:
    """A side of an asset."""

    asset: str
    side: str
    amount: int
    price: int
    price_decimals: int
    oracle: str
    threshold_bps: int = 0
    used_as_collateral: bool = False


@dataclass(frozen=True)
class Figures:
    legs: list[Leg]
    total_collateral: int
    total_debt: int
    #: 18 decimals. None without debt.
    health_factor: Optional[int]


def divide_up(numerator: int, divisor: int) -> int:
    return -(-numerator // divisor)


def divide_half_up(numerator: int, divisor: int) -> int:
    return (numerator + divisor // 2) // divisor
