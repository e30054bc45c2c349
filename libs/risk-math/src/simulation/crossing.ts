import { BLOCK_PATHS, logHealthOf, type PathBlock } from './path-block';
import type { LogLinearHealth } from './log-linear';

/** Past this exponent a touch between two days has less than a rounding error's chance. */
const NO_TOUCH = 40;

/**
 * Follows the share of each path of a block that has not touched HF = 1 yet, and weighs what touches.
 *
 * Between two days a path is a Brownian bridge of its local variance, so it touches with probability
 * exp(−2·g₀·g₁/variance), g = ln HF at the two ends; where an end is below 0 it has touched. The same path's log-linear
 * health is followed beside it, with the same formula. Each day's difference of what touched is weighed by the likelihood
 * ratio of that day, because the factor along the plane was drawn with a drift. Source: P. Glasserman, Monte Carlo Methods
 * in Financial Engineering (2004), 6.4 (bridge), 4.6 (likelihood ratio at a stopping time).
 */
export class CrossingTracker {
  /** For each path the weighed difference, true touch − log-linear touch. */
  readonly difference = new Float64Array(BLOCK_PATHS);
  private readonly alive = new Float64Array(BLOCK_PATHS);
  private readonly aliveLinear = new Float64Array(BLOCK_PATHS);
  private readonly health = new Float64Array(BLOCK_PATHS);
  private readonly linear = new Float64Array(BLOCK_PATHS);
  private readonly variance = new Float64Array(BLOCK_PATHS);
  private readonly linearVariance: number;

  /** @param tilt drift a step of the first factor under the measure that is drawn from */
  constructor(
    private readonly law: LogLinearHealth,
    private readonly tilt: number,
  ) {
    this.linearVariance = law.deviation ** 2;
  }

  /** Starts the paths of a block whose row 0 has been set. */
  start(block: PathBlock, count: number): void {
    this.difference.fill(0);
    this.alive.fill(1);
    this.aliveLinear.fill(this.law.start > 0 ? 1 : 0);
    this.linear.fill(this.law.start);
    // A plane that starts below 0 has touched at once, when the likelihood ratio is still 1.
    if (this.law.start <= 0) this.difference.fill(-1);
    for (let p = 0; p < count; p += 1) {
      this.health[p] = logHealthOf(block.balance[p]!);
      this.variance[p] = block.variance[p]!;
    }
  }

  /** Takes in a row that the kernel has just set. */
  step(block: PathBlock, row: number, count: number): void {
    const { alive, aliveLinear, difference, health, linear, variance, law, tilt } = this;
    const path = block.factors[0]!;
    const at = row * BLOCK_PATHS;
    const linearDrift = law.start + (law.drift + law.deviation * tilt) * row;
    for (let p = 0; p < count; p += 1) {
      const factor = path[at + p]!;
      const g = logHealthOf(block.balance[p]!);
      const l = linearDrift + law.deviation * factor;
      const v = block.variance[p]!;
      const left = alive[p]!;
      const leftLinear = aliveLinear[p]!;
      const stays = left * survival(health[p]!, g, 0.5 * (variance[p]! + v));
      const staysLinear = leftLinear * survival(linear[p]!, l, this.linearVariance);
      const touched = left - stays - (leftLinear - staysLinear);
      if (touched !== 0) difference[p]! += touched * Math.exp(-tilt * factor - 0.5 * tilt * tilt * row);
      alive[p] = stays;
      aliveLinear[p] = staysLinear;
      health[p] = g;
      linear[p] = l;
      variance[p] = v;
    }
  }
}

/** Probability that a Brownian bridge between two values stays above 0. */
function survival(from: number, to: number, variance: number): number {
  if (from <= 0 || to <= 0) return 0;
  const exponent = (2 * from * to) / variance;
  return exponent > NO_TOUCH ? 1 : 1 - Math.exp(-exponent);
}
