import { ScrambledSobol } from '../random/scrambled-sobol';
import { normalCdf, normalInverse, normalPdf } from '../statistics/normal';
import type { Percentiles } from '../statistics/quantile';
import type { KernelModel } from './health-kernels';

const POINTS = 64;
/** Deviations of the first factor beyond which nothing happens. */
const FAR = 38;
const MAX_ITERATIONS = 60;
/** The largest step of ln HF. Newton's method would jump too far where few points have a root. */
const LONGEST_STEP = 1;
/** The tolerance of a step of Newton's method: the error after it is the square. */
const TOLERANCE = 1e-6;

/**
 * Whether HF rises with the first factor at any value of the others: no collateral, the constant one
 * included, moves with it less than any debt.
 */
export function risesWithFirstFactor(model: KernelModel): boolean {
  const slopes = (usd: readonly number[], constantUsd: number): number[] => [
    ...model.factor.flatMap(([slope = 0], i) => (usd[i]! > 0 ? [slope] : [])),
    ...(constantUsd > 0 ? [0] : []),
  ];
  const collateral = slopes(model.weightedUsd, model.constantWeightedUsd);
  const debt = slopes(model.debtUsd, model.constantDebtUsd);
  return Math.min(...collateral) >= Math.max(...debt) && Math.max(...collateral) > Math.min(...debt);
}

/**
 * Percentiles of HF after one step of a model that `risesWithFirstFactor`. Given the other factors, HF < h is
 * the first one below the root z of HF(z) = h, so its probability is Φ(z), exact. Only the other factors are
 * averaged, over 64 scrambled Sobol points, and z hardly depends on them when the first factor runs along ln
 * HF's tangent plane. Newton's method then finds each percentile. Error, root mean square of p5 and p95 for
 * three collaterals: 0.02 % over 30 days, 0.04 % over 90.
 *
 * @param guess of each percentile of ln HF
 */
export function integratedPercentiles(
  model: KernelModel,
  guess: (quantile: number) => number,
  seed: number,
): Percentiles {
  const points = pointsOf(model, seed);
  const at = (quantile: number): number => Math.exp(logQuantile(points, quantile, guess(quantile)));
  return { p5: at(0.05), p50: at(0.5), p95: at(0.95) };
}

/**
 * A position at the end of a step, with all factors but the first given: W = constant + Σ
 * weighted·e^(slope·z), and D in the same way.
 */
class OpenPosition {
  /** The factor at which ln HF has the last requested value; ±FAR if it never has. */
  root = 0;
  /** The slope of ln HF there. */
  steepness = 0;

  constructor(
    private readonly model: KernelModel,
    private readonly slopes: Float64Array,
    /** Relative prices at z = 0. */
    private readonly relatives: Float64Array,
  ) {}

  /** Moves the root to the given ln HF. The search begins at the previous root. */
  solve(logHealth: number): void {
    let [low, high] = [-FAR, FAR];
    for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
      const z = this.root;
      const miss = this.logHealthAt(z) - logHealth;
      if (miss > 0) high = z;
      else low = z;
      this.root = within(low, high, z - miss / this.steepness);
      if (Math.abs(this.root - z) < TOLERANCE) return;
    }
  }

  private logHealthAt(z: number): number {
    const { model, slopes, relatives } = this;
    let [weighted, debt] = [model.constantWeightedUsd, model.constantDebtUsd];
    let [weightedSlope, debtSlope] = [0, 0];
    for (let i = 0; i < slopes.length; i += 1) {
      const slope = slopes[i]!;
      const relative = relatives[i]! * Math.exp(slope * z);
      const w = model.weightedUsd[i]! * relative;
      const d = model.debtUsd[i]! * relative;
      weighted += w;
      debt += d;
      weightedSlope += w * slope;
      debtSlope += d * slope;
    }
    this.steepness = weightedSlope / weighted - debtSlope / debt;
    return Math.log(weighted / debt);
  }
}

function pointsOf(model: KernelModel, seed: number): OpenPosition[] {
  const others = model.drift.length - 1;
  const slopes = Float64Array.from(model.factor, ([first = 0]) => first);
  const sobol = new ScrambledSobol(Math.max(1, others), POINTS, POINTS, seed);
  sobol.nextBlock(POINTS);
  const normals = Array.from({ length: others }, () => new Float64Array(POINTS));
  normals.forEach((values, dimension) => sobol.fillNormals(dimension, values));
  return Array.from({ length: POINTS }, (_, point) => {
    const relatives = Float64Array.from(model.drift, (drift, i) =>
      Math.exp(normals.reduce((sum, values, k) => sum + model.factor[i]![k + 1]! * values[point]!, drift)),
    );
    return new OpenPosition(model, slopes, relatives);
  });
}

/** ln h for which the mean over the points of Φ(root) is the quantile. */
function logQuantile(points: readonly OpenPosition[], quantile: number, guess: number): number {
  for (const point of points) point.root = normalInverse(quantile);
  let logHealth = guess;
  let [low, high] = [-Infinity, Infinity];
  for (let iteration = 0; iteration < MAX_ITERATIONS; iteration += 1) {
    let excess = -quantile * points.length;
    let density = 0;
    for (const point of points) {
      point.solve(logHealth);
      excess += normalCdf(point.root);
      // There is no root beyond FAR, and HF may be flat there.
      if (Math.abs(point.root) < FAR - 1) density += normalPdf(point.root) / point.steepness;
    }
    if (excess > 0) high = logHealth;
    else low = logHealth;
    const step = Math.min(LONGEST_STEP, Math.max(-LONGEST_STEP, excess / density));
    const next = within(low, high, logHealth - step);
    const moved = Math.abs(next - logHealth);
    logHealth = next;
    if (moved < TOLERANCE) break;
  }
  return logHealth;
}

/** Newton's next point, or the middle of the remaining interval if that is outside. */
function within(low: number, high: number, next: number): number {
  if (next > low && next < high) return next;
  if (low === -Infinity) return high - 1;
  return high === Infinity ? low + 1 : (low + high) / 2;
}
