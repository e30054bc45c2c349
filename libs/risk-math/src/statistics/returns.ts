/** Days of a year in every annualised figure: crypto trades on all of them. */
export const DAYS_PER_YEAR = 365;

/** Simple returns p[t]/p[t−1] − 1 of successive prices. There is one fewer than prices. */
export function simpleReturns(prices: ArrayLike<number>): Float64Array {
  const returns = new Float64Array(Math.max(0, prices.length - 1));
  for (let t = 0; t < returns.length; t += 1) returns[t] = prices[t + 1]! / prices[t]! - 1;
  return returns;
}

/** Arithmetic mean. NaN without values. */
export function mean(values: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < values.length; i += 1) sum += values[i]!;
  return sum / values.length;
}

/**
 * Sample standard deviation (n − 1). NaN with fewer than two values. Two passes, relative error about
 * n·1e-16.
 */
export function standardDeviation(values: ArrayLike<number>): number {
  const average = mean(values);
  let squares = 0;
  for (let i = 0; i < values.length; i += 1) squares += (values[i]! - average) ** 2;
  return Math.sqrt(squares / (values.length - 1));
}

/** Volatility per √year of daily returns: sample standard deviation × √365. NaN with fewer than two returns. */
export function annualVolatility(returns: ArrayLike<number>, daysPerYear = DAYS_PER_YEAR): number {
  return standardDeviation(returns) * Math.sqrt(daysPerYear);
}

/**
 * Sharpe ratio per √year: (mean − rf/365)/sd·√365 with the risk-free rate (default 0) per year. Null when the
 * volatility is 0 or there are fewer than two returns.
 */
export function sharpeRatio(returns: ArrayLike<number>, riskFreeRate = 0): number | null {
  const deviation = standardDeviation(returns);
  if (!(deviation > 0)) return null;
  return ((mean(returns) - riskFreeRate / DAYS_PER_YEAR) / deviation) * Math.sqrt(DAYS_PER_YEAR);
}
