import type { CovarianceV1 } from '@plimsoll/contracts';
import { EWMA_LAMBDA, ewmaCovariance, longRunCovariance } from '@plimsoll/risk-math';

/** Content of covariance.v1 except its publisher. */
export interface Covariance extends Pick<
  CovarianceV1,
  'assets' | 'today' | 'longRun' | 'lambda' | 'persistence' | 'windowDays' | 'excluded'
> {
  /** Index of the last day whose close is included. */
  lastIndex: number;
}

/** Volatility returns to the mean of the window by 2 % a day (docs/model.md). */
export const PERSISTENCE = 0.98;
/** Fewer days contain too little information about common moves. */
const MIN_RETURNS = 30;
/** Largest share of days that an asset may lack. Such a day is excluded for all assets. */
const MAX_MISSING = 0.05;

/**
 * Returns the covariances of daily log returns of all assets over the same days.
 * @param closes rows of equal length by asset that end with the same day; null for a missing day
 * @returns null when no asset has 31 days
 */
export function covarianceOf(closes: ReadonlyMap<string, readonly (number | null)[]>): Covariance | null {
  const rows = [...closes].sort(([a], [b]) => (a < b ? -1 : 1));
  const length = rows[0]?.[1].length ?? 0;
  const begins = rows
    .map(([, row]) => row.findIndex((close) => close !== null))
    .filter((first) => first >= 0);
  const first = begins.length > 0 ? Math.min(...begins) : length;
  const days = length - 1 - first;
  if (days < MIN_RETURNS) return null;
  const excluded: Covariance['excluded'] = [];
  const kept = rows.filter(([asset, row]) => {
    const reason = exclusionReason(row.slice(first), days);
    if (reason) excluded.push({ asset, reason });
    return reason === null;
  });
  const usable = Array.from({ length: days }, (_, day) => first + day + 1).filter((day) =>
    kept.every(([, row]) => row[day] !== null && row[day - 1] !== null),
  );
  const returns = kept.map(([, row]) => usable.map((day) => Math.log(row[day]! / row[day - 1]!)));
  if (kept.length === 0 || usable.length < MIN_RETURNS) return null;
  return {
    assets: kept.map(([asset]) => asset),
    today: ewmaCovariance(returns),
    longRun: longRunCovariance(returns),
    lambda: EWMA_LAMBDA,
    persistence: PERSISTENCE,
    windowDays: usable.length,
    lastIndex: usable.at(-1)!,
    excluded,
  };
}

function exclusionReason(
  row: readonly (number | null)[],
  days: number,
): 'too_short' | 'gap_in_window' | null {
  const missing = row.filter((close) => close === null).length;
  if (missing <= MAX_MISSING * days) return null;
  const begin = row.findIndex((close) => close !== null);
  return begin < 0 || begin > MAX_MISSING * days ? 'too_short' : 'gap_in_window';
}
