import { DAYS_PER_YEAR } from './returns';

/** Weight of the past day by day, as the model uses it. */
export const EWMA_LAMBDA = 0.97;

/**
 * Exponentially weighted covariance of daily returns about 0, oldest first: Σ = λΣ + (1 − λ)·r·rᵀ. It starts
 * with the plain mean of the products over the whole history, whose weight after a year of days is λ³⁶⁵ =
 * 1e-5. One row of returns an asset.
 * @throws RangeError without days, and when the histories differ in length
 */
export function ewmaCovariance(returns: readonly ArrayLike<number>[], lambda = EWMA_LAMBDA): number[][] {
  return pairs(returns, (a, b) => {
    let value = meanProduct(a, b);
    for (let day = 0; day < a.length; day += 1) value = lambda * value + (1 - lambda) * a[day]! * b[day]!;
    return value;
  });
}

/** Covariance of daily returns about 0 over the whole history: the level to which volatility returns. */
export function longRunCovariance(returns: readonly ArrayLike<number>[]): number[][] {
  return pairs(returns, meanProduct);
}

/**
 * Average daily covariance over a horizon when today's returns to the long-run level by `persistence` a day:
 * Σ∞ + (Σ₀ − Σ∞)·(1 − ρⁿ)/(n(1 − ρ)). A convex mix of two covariances is a covariance. As one constant it
 * gives the same law of prices at the horizon.
 */
export function horizonCovariance(
  today: readonly (readonly number[])[],
  longRun: readonly (readonly number[])[],
  horizonDays: number,
  persistence: number,
): number[][] {
  const share = persistence === 1 ? 1 : (1 - persistence ** horizonDays) / (horizonDays * (1 - persistence));
  return today.map((row, i) => row.map((value, j) => longRun[i]![j]! + (value - longRun[i]![j]!) * share));
}

/**
 * Volatility per √year by exponential weights. It starts with the mean square of the first `seedDays` returns
 * and then covers all of them (RiskMetrics with λ 0.94 by default).
 */
export function ewmaVolatility(returns: ArrayLike<number>, lambda = 0.94, seedDays = 60): number {
  const days = Math.min(seedDays, returns.length);
  let variance = 0;
  for (let day = 0; day < days; day += 1) variance += returns[day]! ** 2 / days;
  for (let day = 0; day < returns.length; day += 1) {
    variance = lambda * variance + (1 - lambda) * returns[day]! ** 2;
  }
  return Math.sqrt(variance * DAYS_PER_YEAR);
}

function meanProduct(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let day = 0; day < a.length; day += 1) sum += a[day]! * b[day]!;
  return sum / a.length;
}

function pairs(
  returns: readonly ArrayLike<number>[],
  of: (a: ArrayLike<number>, b: ArrayLike<number>) => number,
): number[][] {
  const days = returns[0]?.length ?? 0;
  if (days === 0 || returns.some(({ length }) => length !== days)) {
    throw new RangeError(
      'The return histories are empty or differ in length. Give the same days for every asset.',
    );
  }
  return returns.map((a) => returns.map((b) => of(a, b)));
}
