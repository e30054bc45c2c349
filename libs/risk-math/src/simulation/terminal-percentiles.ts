import { alignFirstColumn, cholesky } from '../statistics/matrix';
import { normalInverse } from '../statistics/normal';
import { percentiles, type Percentiles } from '../statistics/quantile';
import { integratedPercentiles, risesWithFirstFactor } from './integrated-percentiles';
import type { HealthModel } from './health-model';
import { tangentNow } from './log-linear';
import { BLOCK_PATHS, type PathBlock } from './path-block';
import type { SimulationOptions } from './simulation';
import { type PathObserver, walkPaths } from './walk-paths';

/** Makes the points at the horizon independent of those of the paths. */
const OTHER_SET = 0x5bd1e995;
const MIN_POINTS = 4_096;
const MAX_POINTS = 16_384;

/** Keeps HF and the first factor of every point. */
class TerminalSample implements PathObserver {
  readonly health: Float64Array;
  readonly firstFactor: Float64Array;
  private read = 0;

  constructor(points: number) {
    this.health = new Float64Array(points);
    this.firstFactor = new Float64Array(points);
  }

  start(): void {
    // Today's prices are known.
  }

  step({ balance, factors }: PathBlock, _step: number, count: number): void {
    const end = factors[0]!.subarray(BLOCK_PATHS);
    for (let p = 0; p < count; p += 1) {
      this.health[this.read + p] = (1 + balance[p]!) / (1 - balance[p]!);
      this.firstFactor[this.read + p] = end[p]!;
    }
  }

  finish(count: number): void {
    this.read += count;
  }
}

/**
 * Percentiles of HF at the horizon, unabsorbed. The joint law of the prices there is known, so it needs
 * points of as many dimensions as assets and no paths. If HF rises with the first factor, which runs along ln
 * HF's tangent plane at today's prices, that factor is integrated exactly (`integratedPercentiles`).
 * Otherwise all factors are sampled, one point for each path, from 4,096 to 16,384. The plane, whose
 * percentiles are exact, is then the control: q = q_plane · (sampled q / sampled q of the plane). Error, root
 * mean square of p5 and p95 for three collaterals over 30 days: 0.02 %, sampled 0.06 %.
 */
export function terminalPercentiles(model: HealthModel, options: SimulationOptions): Percentiles {
  const { horizonDays, seed } = options;
  const law = tangentNow(model);
  const scale = Math.sqrt(horizonDays);
  const expected = law.start + law.drift * horizonDays;
  if (!(law.deviation > 0)) {
    const constant = Math.exp(expected);
    return { p5: constant, p50: constant, p95: constant };
  }
  const factor = alignFirstColumn(cholesky(model.covariance), law.direction);
  // The whole horizon is one step.
  const whole = {
    ...model,
    drift: model.logDrift.map((drift) => drift * horizonDays),
    factor: factor.map((row) => row.map((share) => share * scale)),
  };
  if (risesWithFirstFactor(whole)) {
    const plane = (quantile: number): number => expected + law.deviation * scale * normalInverse(quantile);
    return integratedPercentiles(whole, plane, seed ^ OTHER_SET);
  }
  const points = Math.min(MAX_POINTS, Math.max(MIN_POINTS, options.paths));
  const sample = new TerminalSample(points);
  walkPaths(whole, { ...options, horizonDays: 1, paths: points, seed: seed ^ OTHER_SET }, sample);
  const sampled = percentiles(sample.health);
  const driver = percentiles(sample.firstFactor);
  const corrected = (quantile: number, of: keyof Percentiles): number =>
    sampled[of] * Math.exp(law.deviation * scale * (normalInverse(quantile) - driver[of]));
  return { p5: corrected(0.05, 'p5'), p50: corrected(0.5, 'p50'), p95: corrected(0.95, 'p95') };
}
