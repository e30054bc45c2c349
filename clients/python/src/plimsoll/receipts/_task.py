"""What the result of a simulation follows from."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True)
class Amount:
    """A supply, or a debt with threshold 1."""

    asset: str
    amount: float
    price: float
    threshold: float = 1.0


@dataclass(frozen=True)
class Task:
    """A position, its assets and the parameters. A model adds its market."""

    collateral: Sequence[Amount]
    debt: Sequence[Amount]
    assets: Sequence[str]
    drift: Sequence[float]
    seed: int
    paths: int
    days: int


@dataclass(frozen=True)
class FhsTask(Task):
    """With prices of each day, for each asset."""

    close: Sequence[Sequence[float]]
    low: Sequence[Sequence[float]]
    high: Sequence[Sequence[float]]


@dataclass(frozen=True)
class GbmTask(Task):
    """With the covariance of the daily changes."""

    covariance: Sequence[Sequence[float]]
