/** Paths that are worked on together: enough to keep loops long, few enough to stay in the processor's cache. */
export const BLOCK_PATHS = 128;

/** A block of paths. Every array holds `BLOCK_PATHS` values a row. */
export interface PathBlock {
  /** For each factor a Brownian motion: row t is its value after t steps, row 0 is 0. */
  factors: Float64Array[];
  /** For each asset its price now as a multiple of today's: one row. */
  relatives: Float64Array[];
  /** (W − D) / (W + D) of each path now; its sign is that of ln HF. */
  balance: Float64Array;
  /** Variance of ln HF over the coming step, at the prices now. */
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

const SIXTH = 1 / 6;
const THIRD = 1 / 3;

/**
 * eˣ for the change of a step: a series of degree 7 up to |x| = 0.25 (relative error 4e-10), the built-in function past it.
 * Three times as fast in a loop over typed arrays.
 */
export function expOfStep(x: number): number {
  if (x > 0.25 || x < -0.25) return Math.exp(x);
  return (
    1 +
    x *
      (1 +
        x * (0.5 + x * (SIXTH + x * (SIXTH / 4 + x * (SIXTH / 20 + x * (SIXTH / 120 + x * (SIXTH / 840)))))))
  );
}

/**
 * ln HF from the balance: 2·artanh(balance) cut off after the fifth power. Error: 3e-8 at HF 1.2 and growing outwards, where
 * the chance of a touch within a step is nothing.
 */
export function logHealthOf(balance: number): number {
  const square = balance * balance;
  return 2 * balance * (1 + square * (THIRD + square * 0.2));
}
