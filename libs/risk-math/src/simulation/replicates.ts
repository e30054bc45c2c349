import { childSeed } from '../random/random';

/** Independent scramblings of one simulation, whose spread gives the error. */
export const REPLICATES = 8;

/** Student's t at 97.5 % by degrees of freedom, 1 to 7, over the normal's 1.96. */
const WIDENING = [12.706, 4.303, 3.182, 2.776, 2.571, 2.447, 2.365].map((t) => t / 1.96);

/** One share of the paths, with its own points. */
export interface Replicate {
  paths: number;
  seed: number;
}

/** Splits the paths evenly over `REPLICATES` independent seeds, or over fewer if there are fewer paths. */
export function replicatesOf(paths: number, seed: number): Replicate[] {
  const count = Math.min(REPLICATES, paths);
  return Array.from({ length: count }, (_, i) => ({
    paths: Math.floor(((i + 1) * paths) / count) - Math.floor((i * paths) / count),
    seed: childSeed(seed, i),
  }));
}

/**
 * Standard error of the mean of independent replicates: s/√R. Points of one Sobol set depend on each other,
 * so an error computed as if they were independent is wrong. Sets with their own scrambles are independent.
 * It is widened by Student's t, so that ± 1.96 of it covers 95 %. 0 for a single replicate, which gives no
 * estimate. Source: A. Owen, Monte Carlo Theory, Methods and Examples (2013), 17.6.
 */
export function replicateError(estimates: readonly number[]): number {
  const count = estimates.length;
  if (count < 2) return 0;
  const mean = estimates.reduce((sum, estimate) => sum + estimate, 0) / count;
  const squares = estimates.reduce((sum, estimate) => sum + (estimate - mean) ** 2, 0);
  return WIDENING[count - 2]! * Math.sqrt(squares / (count - 1) / count);
}

/**
 * Upper bound of a probability at 95 % (one-sided) when no path met the event, after Clopper and Pearson: 1 −
 * 0.05^(1/n), about 3/n. null if one met it. The standard error then states the uncertainty.
 */
export function upperBoundOfNone(hits: number, paths: number): number | null {
  return hits === 0 ? 1 - 0.05 ** (1 / paths) : null;
}
