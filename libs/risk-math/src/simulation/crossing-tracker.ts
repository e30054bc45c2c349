import type { LogLinearHealth } from './log-linear';
import { BLOCK_PATHS, type PathBlock } from './path-block';
import type { PathObserver } from './walk-paths';

/** Above this exponent, a touch between two days has a probability below 1e-11. */
const NO_TOUCH = 25;
const THIRD = 1 / 3;

/** Probability that a Brownian bridge between two values stays above 0. */
function survival(from: number, to: number, variance: number): number {
  if (from <= 0 || to <= 0) return 0;
  const product = 2 * from * to;
  return product > NO_TOUCH * variance ? 1 : 1 - Math.exp(-product / variance);
}

/**
 * ln HF from the balance: 2·artanh(balance) truncated after the fifth power. Error: 3e-8 at HF 1.2, larger
 * further out, where the probability of a touch within a step is zero.
 */
function logHealthOf(balance: number): number {
  const square = balance * balance;
  return 2 * balance * (1 + square * (THIRD + square * 0.2));
}

/**
 * Follows the share of each path that has not touched HF = 1 yet, and weights the touching part.
 *
 * A path between two days is a Brownian bridge of its local variance, so it touches with probability
 * exp(−2·g₀·g₁/variance), g = ln HF at the two ends. If an end is below 0 it has touched. The same path's
 * log-linear health is followed with the same formula. Each day's difference of the touching parts is
 * weighted by the likelihood ratio of that day, because the factor along the plane was drawn with a drift.
 * Source: P. Glasserman, Monte Carlo Methods in Financial Engineering (2004), 6.4 (bridge), 4.6 (likelihood
 * ratio at a stopping time).
 */
export class CrossingTracker implements PathObserver {
  private readonly touched = new Float64Array(BLOCK_PATHS);
  private readonly alive = new Float64Array(BLOCK_PATHS);
  private readonly aliveLinear = new Float64Array(BLOCK_PATHS);
  private readonly health = new Float64Array(BLOCK_PATHS);
  private readonly linear = new Float64Array(BLOCK_PATHS);
  private readonly variance = new Float64Array(BLOCK_PATHS);
  private paths = 0;
  private sum = 0;

  /** @param tilt drift a step of the first factor under the measure that is drawn from */
  constructor(
    private readonly law: LogLinearHealth,
    private readonly tilt: number,
  ) {}

  start(block: PathBlock, count: number): void {
    // A plane that starts below 0 touches immediately, when the likelihood ratio is still 1.
    const isAbove = this.law.start > 0;
    this.touched.fill(isAbove ? 0 : -1);
    this.aliveLinear.fill(isAbove ? 1 : 0);
    this.alive.fill(1);
    this.linear.fill(this.law.start);
    for (let p = 0; p < count; p += 1) {
      this.health[p] = logHealthOf(block.balance[p]!);
      this.variance[p] = block.variance[p]!;
    }
  }

  step(block: PathBlock, day: number, count: number): void {
    const { alive, aliveLinear, touched, health, linear, variance, tilt } = this;
    const { start, drift, deviation } = this.law;
    const path = block.factors[0]!;
    const at = day * BLOCK_PATHS;
    const linearMean = start + (drift + deviation * tilt) * day;
    const linearVariance = deviation * deviation;
    const logRatio = -0.5 * tilt * tilt * day;
    for (let p = 0; p < count; p += 1) {
      const left = alive[p]!;
      const leftLinear = aliveLinear[p]!;
      if (left === 0 && leftLinear === 0) continue;
      const factor = path[at + p]!;
      const g = logHealthOf(block.balance[p]!);
      const l = linearMean + deviation * factor;
      const v = block.variance[p]!;
      const stays = left * survival(health[p]!, g, 0.5 * (variance[p]! + v));
      const staysLinear = leftLinear * survival(linear[p]!, l, linearVariance);
      const now = left - stays - (leftLinear - staysLinear);
      if (now !== 0) touched[p]! += now * Math.exp(logRatio - tilt * factor);
      alive[p] = stays;
      aliveLinear[p] = staysLinear;
      health[p] = g;
      linear[p] = l;
      variance[p] = v;
    }
  }

  finish(count: number): void {
    this.paths += count;
    for (let p = 0; p < count; p += 1) this.sum += this.touched[p]!;
  }

  /** Mean over all paths of the weighed difference, true touch − touch of the plane. */
  meanDifference(): number {
    return this.sum / this.paths;
  }
}
