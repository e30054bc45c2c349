/** The range of a day. Only the ratio of its prices counts. */
export interface DayRange {
  high: number;
  low: number;
}

const LAMBDA = 0.85;
/** The weighted mean starts at the mean of this many first days. */
const SEED_DAYS = 20;
const DAYS_PER_YEAR = 365;

/**
 * Returns Parkinson's variance of a day for a basket: the mean over the assets with prices on that day, or
 * null without any. Source: M. Parkinson, The Extreme Value Method for Estimating the Variance of the Rate of
 * Return (1980).
 */
export function basketVariance(ranges: readonly (DayRange | null)[]): number | null {
  const variances = ranges.flatMap((range) =>
    range ? [Math.log(range.high / range.low) ** 2 / (4 * Math.LN2)] : [],
  );
  return variances.length === 0 ? null : variances.reduce((sum, value) => sum + value, 0) / variances.length;
}

/**
 * Returns the volatility per √year after each day, exponentially weighted with λ 0.85, oldest first. A day
 * without a variance does not change it. Empty without any day.
 */
export function parkinsonVolatilities(variances: readonly (number | null)[]): number[] {
  const known = variances.filter((variance) => variance !== null);
  if (known.length === 0) return [];
  const seed = known.slice(0, SEED_DAYS);
  let mean = seed.reduce((sum, value) => sum + value, 0) / seed.length;
  return variances.map((variance) => {
    if (variance !== null) mean = LAMBDA * mean + (1 - LAMBDA) * variance;
    return Math.sqrt(mean * DAYS_PER_YEAR);
  });
}

/**
 * Returns the current volatility: that of the completed days, or with the current day when that makes it
 * higher. A day that has just begun has seen little and must not lower it.
 */
export function currentVolatility(
  variances: readonly (number | null)[],
  today: number | null,
): number | null {
  const before = parkinsonVolatilities(variances).at(-1);
  const withToday = parkinsonVolatilities([...variances, today]).at(-1);
  if (before === undefined) return withToday ?? null;
  return Math.max(before, withToday ?? before);
}
