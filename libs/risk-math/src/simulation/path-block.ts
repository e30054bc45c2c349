/**
 * Number of paths that are processed together: enough for long loops, and few enough for the processor's
 * cache.
 */
export const BLOCK_PATHS = 128;

/** A block of paths. Every array holds `BLOCK_PATHS` values a row. */
export interface PathBlock {
  /** For each factor a Brownian motion: row t is its value after t steps, and row 0 is 0. */
  factors: Float64Array[];
  /** For each asset one row with its current price as a multiple of today's. */
  relatives: Float64Array[];
  /** The current (W − D) / (W + D) of each path. Its sign is that of ln HF. */
  balance: Float64Array;
  /** Variance of ln HF over the next step, at the current prices. */
  variance: Float64Array;
}

export function pathBlock(factors: number, assets: number, steps: number): PathBlock {
  return {
    factors: Array.from({ length: factors }, () => new Float64Array((steps + 1) * BLOCK_PATHS)),
    relatives: Array.from({ length: assets }, () => new Float64Array(BLOCK_PATHS)),
    balance: new Float64Array(BLOCK_PATHS),
    variance: new Float64Array(BLOCK_PATHS),
  };
}
