import { garchFilter, type GarchParameters } from '../../statistics/garch';
import { DAYS_PER_YEAR } from '../../statistics/returns';

/** Daily prices of several assets over the same days, oldest first, day ends at UTC midnight. */
export interface DailyHistory {
  assets: readonly string[];
  close: readonly ArrayLike<number>[];
  low: readonly ArrayLike<number>[];
  high: readonly ArrayLike<number>[];
}

/** One asset's past days as multiples of the volatility that was expected of each. */
export interface AssetResiduals {
  /**
   * Log change from the close before to this day's close, low and high, divided by σ of the day, less the
   * mean of `close`.
   */
  close: Float64Array;
  low: Float64Array;
  high: Float64Array;
  parameters: GarchParameters;
  /** Variance of the first simulated day. */
  nextVariance: number;
  /** The growth of the log price on each simulated day beside the drawn return; 0: no trend. */
  drift: number;
}

/** Options of the filter. */
export interface FilterOptions {
  /** The number of the last daily changes that count; default 365. */
  days?: number;
  /** Growth of the log price per year for each asset, in their order; default 0. */
  annualDrift?: readonly number[];
}

/**
 * The history from which the filtered historical simulation draws: day t of one asset belongs to day t of all
 * others.
 */
export interface FilteredHistory {
  assets: readonly string[];
  days: number;
  residuals: readonly AssetResiduals[];
}

/**
 * The number of days that count: enough for a tail, and few enough to follow a calmer or more volatile
 * market.
 */
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

/** Mean and standard deviation, by the number of values. */
function moments(values: Float64Array): { mean: number; deviation: number } {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const squares = values.reduce((sum, value) => sum + (value - mean) ** 2, 0);
  return { mean, deviation: Math.sqrt(squares / values.length) };
}

/** The residuals of a constant price: no scale and no returns. */
function still(days: number, drift: number): AssetResiduals {
  const zeros = new Float64Array(days);
  return {
    close: zeros,
    low: zeros,
    high: zeros,
    parameters: { alpha: 0, beta: 0, target: 0 },
    nextVariance: 0,
    drift,
  };
}

/**
 * The residuals are shifted and scaled to mean 0 and variance 1: draws then have the variance that the filter
 * expects and no trend, so that the median of the log price stays unchanged.
 */
function residualsOf(
  { close, low, high }: Record<'close' | 'low' | 'high', ArrayLike<number>>,
  first: number,
  drift: number,
): AssetResiduals {
  const returns = logChanges(close, close, first);
  if (returns.every((change) => change === 0)) return still(returns.length, drift);
  const { deviations, parameters, next } = garchFilter(returns);
  const filtered = (changes: Float64Array): Float64Array =>
    changes.map((change, day) => change / deviations[day]!);
  const { mean, deviation } = moments(filtered(returns));
  const standardised = (changes: Float64Array): Float64Array =>
    filtered(changes).map((residual) => (residual - mean) / (deviation || 1));
  return {
    close: standardised(returns),
    low: standardised(logChanges(low, close, first)),
    high: standardised(logChanges(high, close, first)),
    parameters,
    nextVariance: next,
    drift,
  };
}

/**
 * Growth of the log price per year over the last daily changes of each asset: the trend that `filterHistory`
 * omits.
 * @throws RangeError for a price that is not positive
 */
export function historicalDrift(history: Pick<DailyHistory, 'close'>, days = HISTORY_DAYS): number[] {
  return history.close.map((close) => {
    const first = Math.max(0, close.length - 1 - days);
    const changes = logChanges(close, close, first);
    return (DAYS_PER_YEAR * changes.reduce((sum, change) => sum + change, 0)) / changes.length;
  });
}

/**
 * Runs the GARCH filter over the last 365 daily changes of each asset and stores the unexpected part. The
 * mean of the past is omitted, unless `annualDrift` replaces it by a trend. Source: G. Barone-Adesi, K.
 * Giannopoulos, L. Vosper, VaR without Correlations for Portfolios of Derivatives (1999).
 * @throws RangeError with fewer than 31 days, when the assets' days differ in number, or for a price that is
 * not positive
 */
export function filterHistory(
  history: DailyHistory,
  { days = HISTORY_DAYS, annualDrift = [] }: FilterOptions = {},
): FilteredHistory {
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
      residualsOf(
        { close: history.close[i]!, low: history.low[i]!, high: history.high[i]! },
        first,
        (annualDrift[i] ?? 0) / DAYS_PER_YEAR,
      ),
    ),
  };
}
