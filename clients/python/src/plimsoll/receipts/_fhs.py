"""Filtered historical simulation, as docs/guides/simulation-model.md states it. Every operation rounds once, in its order."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Optional

from ._doubles import exp, log
from ._sobol import ScrambledSobol, child_seed
from ._task import FhsTask

HISTORY_DAYS = 365
FEWEST_DAYS = 31
ALPHA = 0.06
BETA = 0.92
BLOCK = 128
REPLICATES = 8
STUDENT = (12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365)
PASSAGE = {"p5": 0.05, "p10": 0.1, "p25": 0.25, "p50": 0.5, "p75": 0.75}


@dataclass
class Result:
    """The figures of a simulation."""

    probability: float = 0.0
    standard_error: float = 0.0
    upper_bound: Optional[float] = None
    percentiles: Optional[dict[str, float]] = None
    method: str = "closed_form"
    #: None: the model does not compute them.
    passage_days: Optional[dict[str, Optional[int]]] = field(default_factory=lambda: dict.fromkeys(PASSAGE))


@dataclass
class _Asset:
    weighted: float
    debt: float
    close: list[float]
    low: list[float]
    high: list[float]
    target: float
    variance: float
    drift: float

    @property
    def net(self) -> float:
        return self.weighted - self.debt


def simulate(task: FhsTask) -> Result:
    """Return the result of a task. Raises ValueError for a task that is impossible."""
    if task.days < 1 or task.paths < 1:
        raise ValueError("a simulation has at least one day and one path")
    _check_history(task)
    weighted = debt = 0.0
    for leg in task.collateral:
        weighted += leg.amount * leg.price * leg.threshold
    for leg in task.debt:
        debt += leg.amount * leg.price
    if debt == 0:
        return Result()
    assets = _assets_of(task)
    order = _days_by_harm(assets)
    sizes = [(i + 1) * task.paths // min(REPLICATES, task.paths) for i in range(min(REPLICATES, task.paths))]
    sizes = [size - before for before, size in zip([0, *sizes], sizes)]
    health: list[float] = []
    touched = [_replicate(task, assets, order, i, size, health) for i, size in enumerate(sizes)]
    result = Result(percentiles=percentiles_of(health), method="monte_carlo")
    if weighted / debt < 1:
        result.probability = 1.0
        result.passage_days = dict.fromkeys(PASSAGE, 0)
        return result
    within = [sum(each[day] for each in touched) for day in range(task.days + 1)]
    result.probability = within[task.days] / task.paths
    result.standard_error = error_of([each[task.days] / size for each, size in zip(touched, sizes)])
    if within[task.days] == 0:
        result.upper_bound = 1 - math.pow(0.05, 1 / task.paths)
    passage: dict[str, Optional[int]] = {}
    for name, share in PASSAGE.items():
        reached = (day for day in range(1, task.days + 1) if within[day] / task.paths >= share)
        passage[name] = next(reached, None)
    result.passage_days = passage
    return result


def _check_history(task: FhsTask) -> None:
    rows = [*task.close, *task.low, *task.high]
    length = len(task.close[0]) if task.close else 0
    if length < FEWEST_DAYS or len(rows) != 3 * len(task.assets) or any(len(row) != length for row in rows):
        raise ValueError("the prices are not of the same days, or of too few")


def _assets_of(task: FhsTask) -> list[_Asset]:
    found = []
    for name in dict.fromkeys(leg.asset for leg in [*task.collateral, *task.debt]):
        if name not in task.assets:
            raise ValueError(f"there are no prices of {name}")
        weighted = debt = 0.0
        for leg in task.collateral:
            if leg.asset == name:
                weighted += leg.amount * leg.price * leg.threshold
        for leg in task.debt:
            if leg.asset == name:
                debt += leg.amount * leg.price
        at = list(task.assets).index(name)
        drift = (task.drift[at] if at < len(task.drift) else 0.0) / HISTORY_DAYS
        found.append(_filtered(task.close[at], task.low[at], task.high[at], weighted, debt, drift))
    return found


def _filtered(
    close: Sequence[float],
    low: Sequence[float],
    high: Sequence[float],
    weighted: float,
    debt: float,
    drift: float,
) -> _Asset:
    first = max(0, len(close) - 1 - HISTORY_DAYS)

    def changes(to: Sequence[float]) -> list[float]:
        return [log(to[day + 1] / close[day]) for day in range(first, len(close) - 1)]

    returns = changes(close)
    if all(change == 0 for change in returns):
        still = [0.0] * len(returns)
        return _Asset(weighted, debt, still, still, still, 0.0, 0.0, drift)
    target = _sum([change * change for change in returns]) / len(returns)
    if not target > 0:
        raise ValueError("the prices never move")
    omega = (1 - ALPHA - BETA) * target
    variance = target
    deviations = []
    for change in returns:
        deviations.append(math.sqrt(variance))
        variance = omega + ALPHA * (change * change) + BETA * variance

    def filtered(of: list[float]) -> list[float]:
        return [change / deviation for change, deviation in zip(of, deviations)]

    plain = filtered(returns)
    mean = _sum(plain) / len(plain)
    spread = math.sqrt(_sum([(each - mean) * (each - mean) for each in plain]) / len(plain)) or 1.0

    def standard(of: list[float]) -> list[float]:
        return [(each - mean) / spread for each in filtered(of)]

    lows, highs = standard(changes(low)), standard(changes(high))
    return _Asset(weighted, debt, standard(returns), lows, highs, target, variance, drift)


def _sum(values: Sequence[float]) -> float:
    """Add from left to right. The function of Python does not, from version 3.12 on."""
    total = 0.0
    for value in values:
        total += value
    return total


def _days_by_harm(assets: Sequence[_Asset]) -> list[int]:
    profit = [0.0] * len(assets[0].close)
    for asset in assets:
        deviation = math.sqrt(asset.variance)
        for day, change in enumerate(asset.close):
            profit[day] += asset.net * deviation * change
    return sorted(range(len(profit)), key=profit.__getitem__)


def _replicate(
    task: FhsTask, assets: Sequence[_Asset], order: list[int], number: int, paths: int, health: list[float]
) -> list[int]:
    """Return how many paths have touched by the end of each day, and add the health factor of each path."""
    sobol = ScrambledSobol(task.days, paths, child_seed(task.seed, number))
    touched_by = [0] * (task.days + 1)
    days = len(order)
    for first in range(0, paths, BLOCK):
        count = min(BLOCK, paths - first)
        sobol.next_block(count)
        states = [_State(asset, count) for asset in assets]
        has_volatile_debt = any(asset.net < 0 and asset.variance > 0 for asset in assets)
        drawn = [0] * count
        touched = [False] * count
        for day in range(task.days):
            chance = 1.0 if day == 0 else 0.5
            for path, uniform in enumerate(sobol.uniforms(day)):
                if uniform < chance:
                    drawn[path] = order[math.floor((uniform / chance) * days)]
                else:
                    drawn[path] = 0 if drawn[path] + 1 == days else drawn[path] + 1
            at_low, at_high, at_close = [0.0] * count, [0.0] * count, [0.0] * count
            for state in states:
                state.advance(drawn, at_low, at_high if has_volatile_debt else None, at_close)
            for path in range(count):
                if at_low[path] < 0 or at_close[path] < 0 or at_high[path] < 0:
                    touched[path] = True
            touched_by[day + 1] += sum(touched)
        for path in range(count):
            weighted = debt = 0.0
            for state in states:
                weighted += state.asset.weighted * state.grown * state.relative[path]
                debt += state.asset.debt * state.grown * state.relative[path]
            health.append(weighted / debt)
    return touched_by


class _State:
    """One asset on the paths of a block."""

    def __init__(self, asset: _Asset, count: int) -> None:
        self.asset = asset
        self.grown = 1.0
        self.relative = [1.0] * count
        self.variance = [asset.variance] * count

    def advance(
        self, drawn: list[int], at_low: list[float], at_high: Optional[list[float]], at_close: list[float]
    ) -> None:
        """Move each path by the past day that it drew."""
        asset, relative, variances = self.asset, self.relative, self.variance
        self.grown *= exp(asset.drift)
        net = asset.net * self.grown
        # A price that never moves has no weights, and its variance stays 0.
        omega, alpha, beta = ((1 - ALPHA - BETA) * asset.target, ALPHA, BETA) if asset.target else (0.0, 0.0, 0.0)
        for path, day in enumerate(drawn):
            before = relative[path] * net
            deviation = math.sqrt(variances[path])
            change = deviation * asset.close[day]
            growth = exp(change)
            at_low[path] += before * exp(deviation * asset.low[day])
            if at_high is not None:
                at_high[path] += before * exp(deviation * asset.high[day])
            at_close[path] += before * growth
            relative[path] *= growth
            variances[path] = omega + alpha * change * change + beta * variances[path]


def percentiles_of(values: list[float]) -> dict[str, float]:
    """Return the percentiles of values in any order."""
    ordered = sorted(values)
    last = len(ordered) - 1

    def at(share: float) -> float:
        place = last * share
        low = min(last, max(0, math.floor(place)))
        rest = min(1.0, max(0.0, place - low))
        return ordered[low] + rest * (ordered[min(last, low + 1)] - ordered[low])

    return {"p5": at(0.05), "p50": at(0.5), "p95": at(0.95)}


def error_of(estimates: list[float]) -> float:
    """Return the standard error of the mean of independent replicates."""
    count = len(estimates)
    if count < 2:
        return 0.0
    mean = _sum(estimates) / count
    squares = _sum([(each - mean) * (each - mean) for each in estimates])
    return (STUDENT[count - 2] / 1.96) * math.sqrt(squares / (count - 1) / count)
