import type { PriceMarket } from './health-model';
import { horizonCovariance } from '../statistics/ewma';
import type { Matrix } from '../statistics/matrix';

/** Covariances of daily log returns of today and in the long run, by rows in the order of `assets`. */
export interface CovarianceFigures {
  assets: readonly string[];
  today: Matrix;
  longRun: Matrix;
  /** Share of the distance to the long-run level that is left after a day. */
  persistence: number;
}

/**
 * The joint distribution of these assets' prices over a horizon in days. Null when the figures lack one of
 * them.
 */
export function marketOver(
  { assets: all, today, longRun, persistence }: CovarianceFigures,
  assets: readonly string[],
  horizonDays: number,
): PriceMarket | null {
  const indices = assets.map((asset) => all.indexOf(asset));
  if (indices.includes(-1)) return null;
  const part = (matrix: Matrix): number[][] => indices.map((i) => indices.map((j) => matrix[i]![j]!));
  return {
    assets,
    dailyCovariance: horizonCovariance(part(today), part(longRun), horizonDays, persistence),
  };
}
