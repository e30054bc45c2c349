/** Where between the sorted values a quantile lies, by Hyndman and Fan, Sample Quantiles (1996). */
export type QuantileType = 'linear' | 'weibull' | 'inverted_cdf';

/** Values from the smallest to the largest, as a copy. @throws RangeError when empty or when one is not a number */
export function sorted(values: ArrayLike<number>): Float64Array {
  if (values.length === 0) throw new RangeError('There are no values. Give at least one.');
  const copy = Float64Array.from(values).sort();
  if (Number.isNaN(copy[copy.length - 1]!)) throw new RangeError('A value is not a number. Leave it out.');
  return copy;
}

/**
 * Quantile of values that are already sorted upwards, q from 0 to 1. `linear` is type 7 (h = (n − 1)q: numpy, R and
 * spreadsheets), `weibull` type 6 (h = (n + 1)q − 1), `inverted_cdf` type 1. One value is its own quantile everywhere.
 * Error: one rounding of the interpolation.
 */
export function quantileSorted(values: Float64Array, q: number, type: QuantileType = 'linear'): number {
  const last = values.length - 1;
  if (type === 'inverted_cdf') return values[clampIndex(Math.ceil(values.length * q) - 1, last)]!;
  const h = type === 'linear' ? last * q : (values.length + 1) * q - 1;
  const low = clampIndex(Math.floor(h), last);
  const high = clampIndex(low + 1, last);
  const share = Math.min(1, Math.max(0, h - low));
  return values[low]! + share * (values[high]! - values[low]!);
}

function clampIndex(index: number, last: number): number {
  return Math.min(last, Math.max(0, index));
}

/** p5, p50 and p95, the percentiles of the Monte Carlo answers. */
export interface Percentiles {
  p5: number;
  p50: number;
  p95: number;
}

/** The three percentiles of values in any order. @throws RangeError when empty or when one is not a number */
export function percentiles(values: ArrayLike<number>, type: QuantileType = 'linear'): Percentiles {
  const ordered = sorted(values);
  return {
    p5: quantileSorted(ordered, 0.05, type),
    p50: quantileSorted(ordered, 0.5, type),
    p95: quantileSorted(ordered, 0.95, type),
  };
}
