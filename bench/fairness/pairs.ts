import { percentile } from '../flow/percentile';

/** The greatest p99 beside the heavy accounts, as a multiple of that without them. */
const BOUND = 1.5;

/** Runs pairs of measurements of a light account without and beside heavy ones. */
export type Scene = (pairs: number, seconds: number) => Promise<object>;

export interface Verdict {
  medianP99Ms: { alone: number; beside: number };
  ratio: number;
  passed: boolean;
}

export interface Pairs extends Verdict {
  pairs: number;
  latencyMs: Record<'p50' | 'p99', Record<'alone' | 'beside', number[]>>;
}

/**
 * Measures latencies alone and beside in turn, so that the machine's load affects both.
 * @param alone milliseconds of each request of the light account
 * @param beside the same while heavy accounts work
 */
export async function inPairs(
  pairs: number,
  alone: () => Promise<number[]>,
  beside: () => Promise<number[]>,
): Promise<Pairs> {
  const p50 = { alone: [] as number[], beside: [] as number[] };
  const p99 = { alone: [] as number[], beside: [] as number[] };
  for (let pair = 1; pair <= pairs; pair += 1) {
    const measured = { alone: await alone(), beside: await beside() };
    for (const side of ['alone', 'beside'] as const) {
      p50[side].push(rounded(percentile(measured[side], 0.5)));
      p99[side].push(rounded(percentile(measured[side], 0.99)));
    }
    console.error(`pair ${pair}: p99 ${p99.alone.at(-1)} ms alone, ${p99.beside.at(-1)} ms beside`);
  }
  return { pairs, latencyMs: { p50, p99 }, ...verdict(p99) };
}

/** Compares the medians of the p99 of each pair. */
export function verdict(p99: Record<'alone' | 'beside', readonly number[]>): Verdict {
  const median = { alone: percentile(p99.alone, 0.5), beside: percentile(p99.beside, 0.5) };
  return {
    medianP99Ms: { alone: rounded(median.alone), beside: rounded(median.beside) },
    ratio: rounded(median.beside / median.alone),
    passed: median.beside <= BOUND * median.alone,
  };
}

export const rounded = (value: number): number => Math.round(value * 100) / 100;
