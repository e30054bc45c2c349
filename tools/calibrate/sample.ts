import type { Forecast, Model } from './forecasts';

const BINS = 10;
/**
 * A forecast of 0 or 1 out of 1,000 paths is not certain: probabilities count as 0.001 to 0.999 in the
 * logarithm.
 */
const LOG_FLOOR = 1e-3;

/** One model's forecasts of one horizon and period, from the least to the most probable. */
export interface Sample {
  predicted: Float64Array;
  observed: Uint8Array;
  forecasts: readonly Forecast[];
  /** Index of the forecast's start date among the dates. */
  start: Uint32Array;
  /** Number of start dates. */
  starts: number;
}

export function sampleOf(forecasts: readonly Forecast[], model: Model): Sample {
  const ordered = forecasts.toSorted((a, b) => a.predicted[model] - b.predicted[model]);
  const days = [...new Set(forecasts.map(({ day }) => day))].toSorted((a, b) => a - b);
  const place = new Map(days.map((day, i) => [day, i]));
  return {
    predicted: Float64Array.from(ordered, ({ predicted }) => predicted[model]),
    observed: Uint8Array.from(ordered, ({ observed }) => observed),
    forecasts: ordered,
    start: Uint32Array.from(ordered, ({ day }) => place.get(day)!),
    starts: days.length,
  };
}

/** Mean over the forecasts, each counted as often as its start date. */
function weightedMean(
  sample: Sample,
  weights: Uint32Array,
  of: (predicted: number, observed: number) => number,
): number {
  let [sum, total] = [0, 0];
  for (let i = 0; i < sample.predicted.length; i += 1) {
    const weight = weights[sample.start[i]!]!;
    sum += weight * of(sample.predicted[i]!, sample.observed[i]!);
    total += weight;
  }
  return sum / total;
}

export const brierScore = (sample: Sample, weights: Uint32Array): number =>
  weightedMean(sample, weights, (predicted, observed) => (predicted - observed) ** 2);

export const logScore = (sample: Sample, weights: Uint32Array): number =>
  weightedMean(sample, weights, (predicted, observed) => {
    const bounded = Math.min(1 - LOG_FLOOR, Math.max(LOG_FLOOR, predicted));
    return -Math.log(observed === 1 ? bounded : 1 - bounded);
  });

/**
 * Σ share of the bin · |predicted − observed| over ten bins with equally many forecasts, each counted by its
 * start date.
 */
export function calibrationError(
  { predicted, start }: Sample,
  observed: Uint8Array,
  weights: Uint32Array,
): number {
  let total = 0;
  for (const place of start) total += weights[place]!;
  const gaps = new Float64Array(BINS);
  let seen = 0;
  for (let i = 0; i < predicted.length; i += 1) {
    const gap = predicted[i]! - observed[i]!;
    for (let copy = weights[start[i]!]!; copy > 0; copy -= 1) {
      gaps[Math.floor((BINS * seen) / total)]! += gap;
      seen += 1;
    }
  }
  return gaps.reduce((sum, gap) => sum + Math.abs(gap), 0) / total;
}
