import { randomBits, type RandomBits } from '@plimsoll/risk-math';
import { MODELS, type Forecast, type Model } from './forecasts';
import { perfectError } from './perfect-forecasts';
import { calibrationOf, type Calibration } from './reliability';
import { brierScore, calibrationError, logScore, sampleOf, type Sample } from './sample';

/** A figure with the bounds between which 95 % of the resampled figures lie. */
export interface Interval {
  value: number;
  low: number;
  high: number;
}

/** The scores of one model's forecasts for one horizon and period. */
export interface Scores {
  calibration: Calibration;
  brierScore: Interval;
  logScore: Interval;
  expectedCalibrationError: Interval;
  /** Brier score over that of daily-step, on the same resamples. */
  brierRatio: Interval;
  /** Standard deviation of the predicted probabilities (sharpness). */
  sharpness: number;
  /** Expected calibration error of these forecasts if they were the true probabilities. */
  perfectError: { mean: number; p95: number };
}

const RESAMPLES = 500;
/** Start dates are resampled in runs of this many weeks, twice the longest overlap. */
const BLOCK_WEEKS = 9;
const UNIT = 2 ** -32;

/** How often each start date is in a resample: runs of successive dates, the first again after the last. */
function drawnDates(starts: number, random: RandomBits): Uint32Array {
  const counts = new Uint32Array(starts);
  for (let drawn = 0; drawn < starts;) {
    const first = Math.floor(random() * UNIT * starts);
    for (let i = 0; i < BLOCK_WEEKS && drawn < starts; i += 1, drawn += 1) counts[(first + i) % starts]! += 1;
  }
  return counts;
}

function interval(
  of: (weights: Uint32Array) => number,
  resamples: readonly Uint32Array[],
  once: Uint32Array,
): Interval {
  const ordered = Float64Array.from(resamples, of).sort();
  const at = (share: number): number => ordered[Math.round(share * (ordered.length - 1))]!;
  return { value: of(once), low: at(0.025), high: at(0.975) };
}

/**
 * The scores of every model over forecasts of one horizon and period. All models use the same resamples.
 * @param correlation of the assets' daily changes, 0 to 1  @param seed the same one gives the same intervals
 */
export function scoresOf(
  forecasts: readonly Forecast[],
  correlation: number,
  seed: number,
): Record<Model, Scores> {
  const random = randomBits(seed);
  const samples = Object.fromEntries(MODELS.map((model) => [model, sampleOf(forecasts, model)])) as Record<
    Model,
    Sample
  >;
  const { starts } = samples.fhs;
  const once = new Uint32Array(starts).fill(1);
  const resamples = Array.from({ length: RESAMPLES }, () => drawnDates(starts, random));
  const scores = (model: Model): Scores => {
    const sample = samples[model];
    const over = (of: (weights: Uint32Array) => number): Interval => interval(of, resamples, once);
    const calibration = calibrationOf(forecasts, model);
    const mean = calibration.all.predicted;
    const squares = forecasts.reduce((sum, { predicted }) => sum + (predicted[model] - mean) ** 2, 0);
    return {
      calibration,
      brierScore: over((weights) => brierScore(sample, weights)),
      logScore: over((weights) => logScore(sample, weights)),
      expectedCalibrationError: over((weights) => calibrationError(sample, sample.observed, weights)),
      brierRatio: over((weights) => brierScore(sample, weights) / brierScore(samples['daily-step'], weights)),
      sharpness: Math.sqrt(squares / forecasts.length),
      perfectError: perfectError(sample, correlation, random),
    };
  };
  return Object.fromEntries(MODELS.map((model) => [model, scores(model)])) as Record<Model, Scores>;
}
