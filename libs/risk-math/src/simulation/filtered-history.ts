import { garchFilter, type GarchParameters } from '../statistics/garch';

/** Daily prices of several assets over the same days, oldest first, day ends at UTC midnight. */
export interface DailyHistory {
  assets: readonly string[];
  close: readonly ArrayLike<number>[];
  low: readonly ArrayLike<number>[];
  high: readonly ArrayLike<number>[];
}

/** One asset's past days as multiples of the volatility that was expected of each. */
export interface AssetResiduals {
  /** Log change from the close before to this day's close, low and high, divided by σ of the day. */
  close: Float64Array;
  low: Float64Array;
  high: Float64Array;
  parameters: GarchParameters;
  /** Variance of the first simulated day. */
  nextVariance: number;
}

/** What the filtered historical simulation draws from: day t of one asset belongs to day t of all others. */
export interface FilteredHistory {
  assets: readonly string[];
  days: number;
  residuals: readonly AssetResiduals[];
}

/** The days that count: long enough for a tail, short enough to follow a calmer or wilder market. */
export const HISTORY_DAYS = 365;
const MIN_DAYS = 30;

function logChanges(to: ArrayLike<number>, from: ArrayLike<number>, first: number): Float64Array {
  const changes = new Float64Array(from.length - 1 - first);
  for (let i = 0; i < changes.length; i += 1) {
    const change = Math.log(to[first + i + 1]! / from[first + i]!);
    if (!Number.isFinite(change)) throw new RangeError('The history holds a price that is not positive.');
    changes[i] = change;
  }
  return changes;
}

/**
 * Divides by the expected volatility and by the residuals' own root mean square, so that what is drawn has the variance
 * that the filter expects.
 */
function scaled(values: Float64Array, deviations: Float64Array, size: number): Float64Array {
  return values.map((value, day) => value / (deviations[day]! * size));
}

/** A price that never moved: nothing to scale, and nothing to draw. */
function still(days: number): AssetResiduals {
  const zeros = new Float64Array(days);
  return {
    close: zeros,
    low: zeros,
    high: zeros,
    parameters: { alpha: 0, beta: 0, target: 0 },
    nextVariance: 0,
  };
}

function residualsOf(
  close: ArrayLike<number>,
  low: ArrayLike<number>,
  high: ArrayLike<number>,
  first: number,
): AssetResiduals {
  const returns = logChanges(close, close, first);
  if (returns.every((change) => change === 0)) return still(returns.length);
  const { deviations, parameters, next } = garchFilter(returns);
  const squares = returns.reduce((sum, change, day) => sum + (change / deviations[day]!) ** 2, 0);
  const size = Math.sqrt(squares / returns.length);
  return {
    close: scaled(returns, deviations, size),
    low: scaled(logChanges(low, close, first), deviations, size),
    high: scaled(logChanges(high, close, first), deviations, size),
    parameters,
    nextVariance: next,
  };
}

/**
 * Runs the GARCH filter over the last 365 daily changes of each asset and keeps what it did not expect.
 * Source: G. Barone-Adesi, K. Giannopoulos, L. Vosper, VaR without Correlations for Portfolios of Derivatives (1999).
 * @throws RangeError with fewer than 31 days, when the assets' days differ in number, or for a price that is not positive
 */
export function filterHistory(history: DailyHistory, days = HISTORY_DAYS): FilteredHistory {
  const length = history.close[0]?.length ?? 0;
  if (length <= MIN_DAYS)
    throw new RangeError(`A history of ${length} days is too short. Give more than ${MIN_DAYS}.`);
  const rows = [...history.close, ...history.low, ...history.high];
  if (rows.length !== 3 * history.assets.length || rows.some((row) => row.length !== length)) {
    throw new RangeError(
      'The histories differ in length. Give close, low and high of the same days for every asset.',
    );
  }
  const first = Math.max(0, length - 1 - days);
  return {
    assets: history.assets,
    days: length - 1 - first,
    residuals: history.assets.map((_, i) =>
      residualsOf(history.close[i]!, history.low[i]!, history.high[i]!, first),
    ),
  };
}
