"""Log-normal prices, as docs/guides/simulation-model.md states them. Every operation rounds once, in its order."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Optional

from . import _normal as normal
from ._doubles import any_exp, any_log
from ._fhs import BLOCK, REPLICATES, Result, error_of, percentiles_of
from ._sobol import ScrambledSobol, child_seed
from ._task import GbmTask

YEAR = 365
Matrix = list[list[float]]
DEPENDENT = 1e-12
MOST_ITERATIONS = 50
#: The longest tilt, in deviations of the horizon.
MOST_TILT = 8
NO_TOUCH = 25
THIRD = 1 / 3
SIXTH = 1 / 6
#: Changes the seed of the points at the horizon.
OTHER_SET = 0x5BD1E995
FEWEST_POINTS, MOST_POINTS = 4_096, 16_384
INTEGRATED_POINTS = 64
FAR = 38
MOST_ROOT_STEPS = 60
LONGEST_STEP = 1
TOLERANCE = 1e-6
QUANTILES = {"p5": 0.05, "p50": 0.5, "p95": 0.95}


@dataclass
class _Model:
    """Values that move and constant ones. Row i of the factor moves the log price of asset i."""

    constant_weighted: float
    constant_debt: float
    weighted: list[float]
    debt: list[float]
    covariance: Matrix
    drift: list[float]
    factor: Matrix


@dataclass(frozen=True)
class _Law:
    """The logarithm of the health factor as a Brownian motion, a day."""

    start: float
    drift: float
    deviation: float
    direction: list[float]


def simulate_gbm(task: GbmTask) -> Result:
    """Return the result of a task. Raises ValueError or ArithmeticError for a task that is impossible."""
    if task.days < 1 or task.paths < 1:
        raise ValueError("a simulation has at least one day and one path")
    model = _model_of(task)
    weighted = debt = 0.0
    for leg in task.collateral:
        weighted += leg.amount * leg.price * leg.threshold
    for leg in task.debt:
        debt += leg.amount * leg.price
    if debt == 0:
        return Result(passage_days=None)
    health = weighted / debt
    exact = _closed_form(model, health, task.days)
    if exact is not None:
        return exact
    if health < 1:
        probability, error = 1.0, 0.0
    else:
        probability, error = _touch(model, task)
    at_end = _percentiles_at_end(model, task)
    return Result(probability, error, percentiles=at_end, method="quasi_monte_carlo", passage_days=None)


def _model_of(task: GbmTask) -> _Model:
    model = _Model(0.0, 0.0, [], [], [], [], [])
    places: list[int] = []
    names = list(task.assets)
    for name in dict.fromkeys(leg.asset for leg in [*task.collateral, *task.debt]):
        at = names.index(name) if name in names else -1
        if not 0 <= at < len(task.covariance) or at >= len(task.covariance[at]):
            raise ValueError(f"the market has no figures for {name}")
        variance = task.covariance[at][at]
        drift = task.drift[at] if at < len(task.drift) else 0.0
        weighted = debt = 0.0
        for leg in task.collateral:
            if leg.asset == name:
                weighted += leg.amount * leg.price * leg.threshold
        for leg in task.debt:
            if leg.asset == name:
                debt += leg.amount * leg.price
        if variance == 0 and drift == 0:
            model.constant_weighted += weighted
            model.constant_debt += debt
            continue
        places.append(at)
        model.weighted.append(weighted)
        model.debt.append(debt)
        model.drift.append(drift - variance / 2)
    model.covariance = [[task.covariance[i][j] for j in places] for i in places]
    return model


def _closed_form(model: _Model, health: float, days: int) -> Optional[Result]:
    collateral = [i for i, value in enumerate(model.weighted) if value > 0]
    debt = [i for i, value in enumerate(model.debt) if value > 0]
    sides = ((collateral, model.constant_weighted), (debt, model.constant_debt))
    if all(len(places) + (1 if constant > 0 else 0) == 1 for places, constant in sides):
        c, d = (collateral[0] if collateral else None), (debt[0] if debt else None)

        def covariance(i: Optional[int], j: Optional[int]) -> float:
            return 0.0 if i is None or j is None else model.covariance[i][j]

        def drift(i: Optional[int]) -> float:
            return 0.0 if i is None else model.drift[i]

        own_drift = (drift(c) - drift(d)) * YEAR
        variance = max(0.0, covariance(c, c) + covariance(d, d) - 2 * covariance(c, d)) * YEAR
        at = {name: _at_end(health, own_drift, variance, days, q) for name, q in QUANTILES.items()}
        return Result(_first_passage(health, own_drift, variance, days), percentiles=at, passage_days=None)
    if len(model.weighted) == 1 and model.weighted[0] != model.debt[0]:
        return _single_price(model, days)
    return None


def _single_price(model: _Model, days: int) -> Result:
    """One price that moves among constants."""
    constant_weighted, constant_debt = model.constant_weighted, model.constant_debt
    w, d = model.weighted[0], model.debt[0]
    drift, variance = model.drift[0] * YEAR, model.covariance[0][0] * YEAR
    net = w - d
    barrier = (constant_debt - constant_weighted) / net
    falls = net > 0
    if barrier > 0:
        distance: Optional[float] = 1 / barrier if falls else barrier
    else:
        distance = 0.0 if constant_weighted + w < constant_debt + d else None
    rises = w * constant_debt >= d * constant_weighted

    def at(quantile: float) -> float:
        relative = _at_end(1.0, drift, variance, days, quantile if rises else 1 - quantile)
        return (constant_weighted + w * relative) / (constant_debt + d * relative)

    probability = _first_passage(distance, drift if falls else -drift, variance, days)
    found = {name: at(quantile) for name, quantile in QUANTILES.items()}
    return Result(probability, percentiles=found, passage_days=None)


def _first_passage(health: Optional[float], drift: float, variance: float, days: int) -> float:
    if health is None:
        return 0.0
    if health < 1:
        return 1.0
    years = days / YEAR
    if health == 1 and variance == 0 and drift >= 0:
        return 0.0
    return _barrier_touch(any_log(health), drift * years, variance * years)


def _at_end(health: float, drift: float, variance: float, days: int, quantile: float) -> float:
    years = days / YEAR
    spread = 0.0 if variance == 0 else math.sqrt(variance * years) * normal.inverse(quantile)
    return health * any_exp(drift * years + spread)


def _barrier_touch(distance: float, drift: float, variance: float) -> float:
    """The probability that a Brownian motion from a distance touches 0."""
    if distance <= 0:
        return 1.0
    if variance <= 0:
        return 1.0 if distance + drift <= 0 else 0.0
    deviation = math.sqrt(variance)
    reflected = (-2 * drift * distance) / variance
    x = (-distance + drift) / deviation
    direct = normal.cdf((-distance - drift) / deviation)
    if reflected > 300 or x < -30:
        mirror = any_exp(reflected + normal.log_cdf(x))
    else:
        mirror = any_exp(reflected) * normal.cdf(x)
    return min(1.0, direct + mirror)


def _dot(a: Sequence[float], b: Sequence[float]) -> float:
    total = 0.0
    for left, right in zip(a, b):
        total += left * right
    return total


def _length(values: Sequence[float]) -> float:
    """The root of the sum of squares, summed with a compensation."""
    largest = max((abs(value) for value in values), default=0.0)
    if largest == 0:
        return 0.0
    total = compensation = 0.0
    for value in values:
        part = abs(value) / largest
        summand = part * part - compensation
        preliminary = total + summand
        compensation = (preliminary - total) - summand
        total = preliminary
    return math.sqrt(total) * largest


def _transposed(matrix: Matrix, vector: Sequence[float]) -> list[float]:
    return [_dot([row[column] for row in matrix], vector) for column in range(len(matrix[0]) if matrix else 0)]


def _cholesky(matrix: Matrix) -> Matrix:
    size = len(matrix)
    factor = [[0.0] * size for _ in range(size)]
    for i in range(size):
        for j in range(i + 1):
            value = matrix[i][j]
            if not abs(value - matrix[j][i]) <= 1e-9 * (1 + abs(value)):
                raise ValueError("the covariance is not symmetric")
            rest = value
            for k in range(j):
                rest -= factor[i][k] * factor[j][k]
            if i == j:
                if rest < -1e-9 * abs(value) or value < 0:
                    raise ValueError("the covariance is not positive semi-definite")
                factor[i][i] = 0.0 if rest <= DEPENDENT * value else math.sqrt(rest)
            elif factor[j][j] != 0:
                factor[i][j] = rest / factor[j][j]
            elif abs(rest) > 1e-6 * math.sqrt(matrix[i][i] * matrix[j][j]):
                raise ValueError("the covariance is not positive semi-definite")
    return factor


def _aligned(matrix: Matrix, direction: Sequence[float]) -> Matrix:
    """The matrix, reflected so that its first column is along a direction."""
    length = _length(direction)
    mirror = [value / length for value in direction]
    sign = 1 if mirror[0] >= 0 else -1
    mirror[0] += sign
    scale = 2 / _dot(mirror, mirror)
    reflected = []
    for row in matrix:
        along = _dot(row, mirror) * scale
        reflected.append([-sign * (value - along * mirror[k]) for k, value in enumerate(row)])
    return reflected


def _log_health(model: _Model, x: Sequence[float]) -> tuple[float, list[float]]:
    """The logarithm of the health factor at changes of the log prices, and its gradient."""
    relative = [any_exp(value) for value in x]
    weighted = model.constant_weighted + _dot(model.weighted, relative)
    debt = model.constant_debt + _dot(model.debt, relative)
    gradient = [r * (_over(w, weighted) - _over(d, debt)) for r, w, d in zip(relative, model.weighted, model.debt)]
    return any_log(_over(weighted, debt)), gradient


def _tangent(model: _Model, factor: Matrix, x: Sequence[float]) -> _Law:
    value, gradient = _log_health(model, x)
    direction = _transposed(factor, gradient)
    return _Law(value - _dot(gradient, x), _dot(gradient, model.drift), _length(direction), direction)


def _tangent_now(model: _Model) -> _Law:
    return _tangent(model, _cholesky(model.covariance), [0.0] * len(model.drift))


def _law_of(model: _Model, days: int) -> _Law:
    """The tangent plane at the most likely point of a liquidation."""
    factor = _cholesky(model.covariance)
    expected = [drift * days for drift in model.drift]
    scale = math.sqrt(days)

    def at(y: Sequence[float]) -> list[float]:
        return [expected[i] + _dot(row, y) * scale for i, row in enumerate(factor)]

    y = [0.0] * len(expected)
    for _ in range(MOST_ITERATIONS):
        value, gradient = _log_health(model, at(y))
        slope = [component * scale for component in _transposed(factor, gradient)]
        steepness = _dot(slope, slope)
        if not steepness > 0 or not math.isfinite(value):
            break
        step = (_dot(slope, y) - value) / steepness
        following = [component * step for component in slope]
        moved = _length([component - y[i] for i, component in enumerate(following)])
        y = following
        if moved < 1e-9:
            return _tangent(model, factor, at(y))
    return _tangent_now(model)


def _touch(model: _Model, task: GbmTask) -> tuple[float, float]:
    """The probability of a touch, with the tangent plane as control variate, and its error."""
    days = task.days
    law = _law_of(model, days)
    plane = _barrier_touch(law.start, law.drift * days, law.deviation * law.deviation * days)
    if law.deviation == 0:
        return plane, 0.0
    tilt = -(law.start + law.drift * days) / (law.deviation * days)
    tilt = max(min(0.0, tilt), -MOST_TILT / math.sqrt(days))
    factor = _aligned(_cholesky(model.covariance), law.direction)
    drift = [value + factor[i][0] * tilt for i, value in enumerate(model.drift)]
    moving = _Model(
        model.constant_weighted, model.constant_debt, model.weighted, model.debt, model.covariance, drift, factor
    )
    count = min(REPLICATES, task.paths)
    total = 0.0
    means = []
    for i in range(count):
        paths = (i + 1) * task.paths // count - i * task.paths // count
        mean = _mean_difference(moving, law, tilt, days, paths, child_seed(task.seed, i))
        total += mean * paths
        means.append(mean)
    probability = plane + total / task.paths
    return min(1.0, max(0.0, probability)), error_of(means)


def _mean_difference(model: _Model, law: _Law, tilt: float, days: int, paths: int, seed: int) -> float:
    """The mean of true touch less touch of the plane, weighed by the likelihood ratio."""
    total = 0.0
    walk = _Walk(model, days, paths, seed)
    is_above = law.start > 0
    for count in walk.blocks():
        touched = [0.0 if is_above else -1.0] * count
        alive = [1.0] * count
        alive_linear = [1.0 if is_above else 0.0] * count
        linear = [law.start] * count
        health = [_of_balance(walk.balance[p]) for p in range(count)]
        variance = walk.variance[:]
        for day in range(1, days + 1):
            walk.step(day)
            path = walk.factors[0][day]
            mean = law.start + (law.drift + law.deviation * tilt) * day
            linear_variance = law.deviation * law.deviation
            log_ratio = -0.5 * tilt * tilt * day
            for p in range(count):
                left, left_linear = alive[p], alive_linear[p]
                if left == 0 and left_linear == 0:
                    continue
                g = _of_balance(walk.balance[p])
                at_plane = mean + law.deviation * path[p]
                v = walk.variance[p]
                stays = left * _survival(health[p], g, 0.5 * (variance[p] + v))
                stays_linear = left_linear * _survival(linear[p], at_plane, linear_variance)
                now = left - stays - (left_linear - stays_linear)
                if now != 0:
                    touched[p] += now * any_exp(log_ratio - tilt * path[p])
                alive[p], alive_linear[p] = stays, stays_linear
                health[p], linear[p], variance[p] = g, at_plane, v
        for value in touched:
            total += value
    return total / paths


def _survival(start: float, end: float, variance: float) -> float:
    """The probability that a Brownian bridge stays above 0."""
    if start <= 0 or end <= 0:
        return 0.0
    product = 2 * start * end
    return 1.0 if product > NO_TOUCH * variance else 1 - any_exp(-product / variance)


def _of_balance(balance: float) -> float:
    square = balance * balance
    return 2 * balance * (1 + square * (THIRD + square * 0.2))


def _exp_of_step(x: float) -> float:
    if -0.25 <= x <= 0.25:
        return _series(x)
    if x > 1 or x < -1:
        return any_exp(x)
    root = _series(0.25 * x)
    square = root * root
    return square * square


def _series(x: float) -> float:
    inner = SIXTH + x * (SIXTH / 4 + x * (SIXTH / 20 + x * (SIXTH / 120 + x * (SIXTH / 840))))
    return 1 + x * (1 + x * (0.5 + x * inner))


def _bridge(steps: int) -> list[tuple[int, int, int, float, float, float]]:
    """Index, left, right, both weights and the deviation of each point of a Brownian path, in bridge order."""
    nodes = [(steps, 0, -1, 1.0, 0.0, math.sqrt(steps))]
    gaps = [(0, steps)]
    while gaps:
        halves: list[tuple[int, int]] = []
        for left, right in gaps:
            if right - left < 2:
                continue
            index, width = (left + right) >> 1, right - left
            deviation = math.sqrt(((index - left) * (right - index)) / width)
            nodes.append((index, left, right, (right - index) / width, (index - left) / width, deviation))
            halves += [(left, index), (index, right)]
        gaps = halves
    return nodes


class _Walk:
    """Paths of the prices, block by block and day by day."""

    def __init__(self, model: _Model, days: int, paths: int, seed: int) -> None:
        self._model = model
        self._size = len(model.drift)
        self._days = days
        self._paths = paths
        self._sobol = ScrambledSobol(self._size * days, paths, seed)
        self._nodes = _bridge(days)
        self.factors: list[list[list[float]]] = []
        self.balance: list[float] = []
        self.variance: list[float] = []
        self._relatives: list[list[float]] = []

    def blocks(self) -> Iterator[int]:
        """Draw each block, and yield its size."""
        for first in range(0, self._paths, BLOCK):
            count = min(BLOCK, self._paths - first)
            self._start(count)
            yield count

    def _start(self, count: int) -> None:
        """Draw the factors of the next block, which begins at the prices of today."""
        self._sobol.next_block(count)
        self.factors = [[[0.0] * count for _ in range(self._days + 1)] for _ in range(self._size)]
        for order, (index, left, right, left_weight, right_weight, deviation) in enumerate(self._nodes):
            for f in range(self._size):
                drawn = [normal.of_word(word) for word in self._sobol.words(order * self._size + f)]
                rows = self.factors[f]
                if right < 0:
                    rows[index] = [deviation * value for value in drawn]
                else:
                    rows[index] = [
                        left_weight * a + right_weight * b + deviation * value
                        for a, b, value in zip(rows[left], rows[right], drawn)
                    ]
        # A step with only the drift ends at the prices of today, where all paths are equal.
        self._relatives = [[any_exp(-drift)] for drift in self._model.drift]
        self._move([[0.0] for _ in range(self._size)])
        self._relatives = [values * count for values in self._relatives]
        self.balance, self.variance = self.balance * count, self.variance * count

    def step(self, day: int) -> None:
        """Move the block to the end of a day."""
        changes = [[now - before for now, before in zip(rows[day], rows[day - 1])] for rows in self.factors]
        self._move(changes)

    def _move(self, changes: list[list[float]]) -> None:
        moves = {1: self._move_one, 2: self._move_two, 3: self._move_three}
        moves.get(self._size, self._move_many)(changes)

    def _move_one(self, changes: list[list[float]]) -> None:
        model = self._model
        wc, dc = model.constant_weighted, model.constant_debt
        w, d, m, a = model.weighted[0], model.debt[0], model.drift[0], model.factor[0][0]
        self.balance, self.variance = [], []
        relative = self._relatives[0]
        for p, change in enumerate(changes[0]):
            e = relative[p] * _exp_of_step(m + a * change)
            relative[p] = e
            weighted, debt = wc + w * e, dc + d * e
            self.balance.append((weighted - debt) / (weighted + debt))
            slope = e * (w / weighted - d / debt) * a
            self.variance.append(slope * slope)

    def _move_two(self, changes: list[list[float]]) -> None:
        model = self._model
        wc, dc = model.constant_weighted, model.constant_debt
        (w1, w2), (d1, d2), (m1, m2) = model.weighted, model.debt, model.drift
        (a11, a12), (a21, a22) = model.factor
        r1, r2 = self._relatives
        self.balance, self.variance = [], []
        for p, (s1, s2) in enumerate(zip(*changes)):
            e1 = r1[p] * _exp_of_step(m1 + a11 * s1 + a12 * s2)
            e2 = r2[p] * _exp_of_step(m2 + a21 * s1 + a22 * s2)
            r1[p], r2[p] = e1, e2
            weighted = wc + w1 * e1 + w2 * e2
            debt = dc + d1 * e1 + d2 * e2
            self.balance.append((weighted - debt) / (weighted + debt))
            per_weighted, per_debt = 1 / weighted, 1 / debt
            g1 = e1 * (w1 * per_weighted - d1 * per_debt)
            g2 = e2 * (w2 * per_weighted - d2 * per_debt)
            v1 = g1 * a11 + g2 * a21
            v2 = g1 * a12 + g2 * a22
            self.variance.append(v1 * v1 + v2 * v2)

    def _move_three(self, changes: list[list[float]]) -> None:
        model = self._model
        wc, dc = model.constant_weighted, model.constant_debt
        w1, w2, w3 = model.weighted
        d1, d2, d3 = model.debt
        m1, m2, m3 = model.drift
        (a11, a12, a13), (a21, a22, a23), (a31, a32, a33) = model.factor
        r1, r2, r3 = self._relatives
        self.balance, self.variance = [], []
        for p, (s1, s2, s3) in enumerate(zip(*changes)):
            e1 = r1[p] * _exp_of_step(m1 + a11 * s1 + a12 * s2 + a13 * s3)
            e2 = r2[p] * _exp_of_step(m2 + a21 * s1 + a22 * s2 + a23 * s3)
            e3 = r3[p] * _exp_of_step(m3 + a31 * s1 + a32 * s2 + a33 * s3)
            r1[p], r2[p], r3[p] = e1, e2, e3
            weighted = wc + w1 * e1 + w2 * e2 + w3 * e3
            debt = dc + d1 * e1 + d2 * e2 + d3 * e3
            product, total = weighted * debt, weighted + debt
            inverse = 1 / (product * total)
            self.balance.append((weighted - debt) * product * inverse)
            scale = total * inverse
            g1 = e1 * (w1 * debt - d1 * weighted)
            g2 = e2 * (w2 * debt - d2 * weighted)
            g3 = e3 * (w3 * debt - d3 * weighted)
            v1 = g1 * a11 + g2 * a21 + g3 * a31
            v2 = g1 * a12 + g2 * a22 + g3 * a32
            v3 = g1 * a13 + g2 * a23 + g3 * a33
            self.variance.append((v1 * v1 + v2 * v2 + v3 * v3) * scale * scale)

    def _move_many(self, changes: list[list[float]]) -> None:
        model, size = self._model, self._size
        count = len(changes[0]) if changes else 1
        weighted = [model.constant_weighted] * count
        debt = [model.constant_debt] * count
        for asset, relative in enumerate(self._relatives):
            change = [model.drift[asset]] * count
            for share, row in zip(model.factor[asset], changes):
                for p in range(count):
                    change[p] += share * row[p]
            for p in range(count):
                relative[p] *= _exp_of_step(change[p])
                weighted[p] += model.weighted[asset] * relative[p]
                debt[p] += model.debt[asset] * relative[p]
        self.balance = [(w - d) / (w + d) for w, d in zip(weighted, debt)]
        self.variance = [0.0] * count
        for f in range(size):
            slope = [0.0] * count
            for asset, relative in enumerate(self._relatives):
                w = model.weighted[asset] * model.factor[asset][f]
                d = model.debt[asset] * model.factor[asset][f]
                for p in range(count):
                    slope[p] += relative[p] * (w / weighted[p] - d / debt[p])
            for p in range(count):
                self.variance[p] += slope[p] * slope[p]


def _percentiles_at_end(model: _Model, task: GbmTask) -> dict[str, float]:
    law = _tangent_now(model)
    scale = math.sqrt(task.days)
    expected = law.start + law.drift * task.days
    if not law.deviation > 0:
        return dict.fromkeys(QUANTILES, any_exp(expected))
    factor = _aligned(_cholesky(model.covariance), law.direction)
    whole = _Model(
        model.constant_weighted,
        model.constant_debt,
        model.weighted,
        model.debt,
        model.covariance,
        [drift * task.days for drift in model.drift],
        [[share * scale for share in row] for row in factor],
    )
    seed = task.seed ^ OTHER_SET
    if _rises(whole):
        points = _points_of(whole, seed)

        def at(quantile: float) -> float:
            guess = expected + law.deviation * scale * normal.inverse(quantile)
            return any_exp(_log_quantile(points, quantile, guess))

        return {name: at(quantile) for name, quantile in QUANTILES.items()}
    paths = min(MOST_POINTS, max(FEWEST_POINTS, task.paths))
    walk = _Walk(whole, 1, paths, seed)
    health: list[float] = []
    driver: list[float] = []
    for _ in walk.blocks():
        walk.step(1)
        health += [(1 + balance) / (1 - balance) for balance in walk.balance]
        driver += walk.factors[0][1]
    sampled, driven = percentiles_of(health), percentiles_of(driver)
    return {
        name: sampled[name] * any_exp(law.deviation * scale * (normal.inverse(quantile) - driven[name]))
        for name, quantile in QUANTILES.items()
    }


def _rises(model: _Model) -> bool:
    """Whether the health factor rises with the first factor at any value of the others."""

    def slopes(values: Sequence[float], constant: float) -> list[float]:
        moving = [model.factor[i][0] for i, value in enumerate(values) if value > 0]
        return [*moving, 0.0] if constant > 0 else moving

    collateral = slopes(model.weighted, model.constant_weighted)
    debt = slopes(model.debt, model.constant_debt)
    infinity = math.inf
    return min(collateral, default=infinity) >= max(debt, default=-infinity) and max(
        collateral, default=-infinity
    ) > min(debt, default=infinity)


class _Point:
    """A position at the horizon, with all factors but the first given."""

    def __init__(self, model: _Model, relatives: list[float]) -> None:
        self._model = model
        self._slopes = [row[0] for row in model.factor]
        self._relatives = relatives
        self.root = 0.0
        self.steepness = 0.0

    def solve(self, log_health: float) -> None:
        """Move the root to the first factor at which the logarithm of the health factor has this value."""
        low, high = -float(FAR), float(FAR)
        for _ in range(MOST_ROOT_STEPS):
            z = self.root
            miss = self._log_health_at(z) - log_health
            if miss > 0:
                high = z
            else:
                low = z
            self.root = _within(low, high, z - _over(miss, self.steepness))
            if abs(self.root - z) < TOLERANCE:
                return

    def _log_health_at(self, z: float) -> float:
        model = self._model
        weighted, debt = model.constant_weighted, model.constant_debt
        weighted_slope = debt_slope = 0.0
        for i, slope in enumerate(self._slopes):
            relative = self._relatives[i] * any_exp(slope * z)
            w, d = model.weighted[i] * relative, model.debt[i] * relative
            weighted += w
            debt += d
            weighted_slope += w * slope
            debt_slope += d * slope
        self.steepness = _over(weighted_slope, weighted) - _over(debt_slope, debt)
        return any_log(_over(weighted, debt))


def _points_of(model: _Model, seed: int) -> list[_Point]:
    others = len(model.drift) - 1
    sobol = ScrambledSobol(max(1, others), INTEGRATED_POINTS, seed)
    sobol.next_block(INTEGRATED_POINTS)
    normals = [[normal.of_word(word) for word in sobol.words(dimension)] for dimension in range(others)]
    points = []
    for point in range(INTEGRATED_POINTS):
        relatives = []
        for i, drift in enumerate(model.drift):
            change = drift
            for k, values in enumerate(normals):
                change += model.factor[i][k + 1] * values[point]
            relatives.append(any_exp(change))
        points.append(_Point(model, relatives))
    return points


def _log_quantile(points: Sequence[_Point], quantile: float, guess: float) -> float:
    for point in points:
        point.root = normal.inverse(quantile)
    log_health = guess
    low, high = -math.inf, math.inf
    for _ in range(MOST_ROOT_STEPS):
        excess = -quantile * len(points)
        density = 0.0
        for point in points:
            point.solve(log_health)
            excess += normal.cdf(point.root)
            if abs(point.root) < FAR - 1:
                density += _over(normal.pdf(point.root), point.steepness)
        if excess > 0:
            high = log_health
        else:
            low = log_health
        step = _over(excess, density)
        if not math.isnan(step):
            step = min(float(LONGEST_STEP), max(-float(LONGEST_STEP), step))
        following = _within(low, high, log_health - step)
        moved = abs(following - log_health)
        log_health = following
        if moved < TOLERANCE:
            break
    return log_health


def _within(low: float, high: float, following: float) -> float:
    if low < following < high:
        return following
    if low == -math.inf:
        return high - 1
    return low + 1 if high == math.inf else (low + high) / 2


def _over(a: float, b: float) -> float:
    """The quotient of doubles, also by 0."""
    if b != 0:
        return a / b
    return math.nan if a == 0 or math.isnan(a) else math.copysign(math.inf, a) * math.copysign(1, b)

