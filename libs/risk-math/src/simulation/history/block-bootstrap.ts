import type { ScrambledSobol } from '../../random/scrambled-sobol';
import { BLOCK_PATHS } from '../path-block';

/** Mean number of successive past days that are drawn together. */
export const MEAN_BLOCK_DAYS = 2;

/**
 * Draws a past day for each path and simulated day: with probability 1/2 (and on the first day always) a new
 * one, else the one after the last, the first again after the end. Blocks keep the clusters of volatile days,
 * which the volatility filter alone would lose. Source: D. Politis and J. Romano, The Stationary Bootstrap
 * (1994).
 *
 * One coordinate a simulated day decides both, and selects new days in the given order, so that a small one
 * is a bad day.
 */
export class BlockBootstrap {
  /** The past day of each path of the block. */
  readonly drawn = new Uint32Array(BLOCK_PATHS);
  private readonly uniforms = new Float64Array(BLOCK_PATHS);

  /** @param order all past days; the smallest coordinates draw the first ones */
  constructor(
    private readonly sobol: ScrambledSobol,
    private readonly order: Uint32Array,
  ) {}

  /** Advances the block to a simulated day, counted from 0. */
  next(day: number, count: number): void {
    const { drawn, order, uniforms } = this;
    const days = order.length;
    const chance = day === 0 ? 1 : 1 / MEAN_BLOCK_DAYS;
    this.sobol.fillUniforms(day, uniforms);
    for (let p = 0; p < count; p += 1) {
      const u = uniforms[p]!;
      const following = drawn[p]! + 1;
      if (u < chance) drawn[p] = order[Math.floor((u / chance) * days)]!;
      else drawn[p] = following === days ? 0 : following;
    }
  }
}
