import { normalCdf, type RandomBits } from '@plimsoll/risk-math';
import { calibrationError, type Sample } from './sample';

const SAMPLES = 200;
const UNIT = 2 ** -32;

const standardNormal = (random: RandomBits): number =>
  Math.sqrt(-2 * Math.log((random() + 1) * UNIT)) * Math.cos(2 * Math.PI * random() * UNIT);

/**
 * Outcomes for which the forecasts are the true probabilities. One standard normal decides all health factors
 * of an asset and start: the event happens if its distribution function is below the forecast. The normal is
 * the scaled sum of daily shocks over the horizon, so that overlapping horizons share their days. Each shock
 * is a common one and the asset's own, in shares that give the assets' correlation.
 */
function perfectOutcomes(
  { predicted, forecasts }: Sample,
  correlation: number,
  random: RandomBits,
): Uint8Array {
  const horizon = forecasts[0]!.horizonDays;
  const days = forecasts.map(({ day }) => day);
  const first = days.reduce((a, b) => Math.min(a, b));
  const count = days.reduce((a, b) => Math.max(a, b)) - first + horizon + 1;
  const common = Float64Array.from({ length: count }, () => standardNormal(random));
  /** Sum of an asset's shocks up to each day. */
  const walks = new Map<string, Float64Array>();
  const walkOf = (asset: string): Float64Array => {
    const known = walks.get(asset);
    if (known) return known;
    let sum = 0;
    const walk = common.map((shock) => {
      sum += Math.sqrt(correlation) * shock + Math.sqrt(1 - correlation) * standardNormal(random);
      return sum;
    });
    walks.set(asset, walk);
    return walk;
  };
  return Uint8Array.from(forecasts, ({ asset, day }, i) => {
    const walk = walkOf(asset);
    const change = walk[day - first + horizon]! - walk[day - first]!;
    return normalCdf(change / Math.sqrt(horizon)) < predicted[i]! ? 1 : 0;
  });
}

/**
 * Expected calibration error of these forecasts if they were the true probabilities: mean and 95 % quantile.
 */
export function perfectError(
  sample: Sample,
  correlation: number,
  random: RandomBits,
): { mean: number; p95: number } {
  const once = new Uint32Array(sample.starts).fill(1);
  const errors = Float64Array.from({ length: SAMPLES }, () =>
    calibrationError(sample, perfectOutcomes(sample, correlation, random), once),
  ).sort();
  return { mean: errors.reduce((sum, error) => sum + error, 0) / SAMPLES, p95: errors[0.95 * SAMPLES]! };
}
