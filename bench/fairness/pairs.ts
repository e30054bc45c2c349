import { percentile } from '../flow/percentile';
import { besideBurners, withCores } from './control';

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
  /** The light account alone, while other processes use the CPU time of the heavy accounts. */
  sameCpuOutside?: { cores: number[]; p50Ms: number[]; p99Ms: number[]; medianP99Ms: number; ratio: number };
}

/**
 * Measures latencies alone and beside in turn, so that the machine's load affects both.
 * @param alone milliseconds of each request of the light account
 * @param beside the same while heavy accounts work
 * @param isControlled whether to measure the light account beside the same CPU load from outside too. The wait in the
 * platform is the rest of the ratio.
 */
export async function inPairs(
  pairs: number,
  alone: () => Promise<number[]>,
  beside: () => Promise<number[]>,
  isControlled = false,
): Promise<Pairs> {
  const p50 = { alone: [] as number[], beside: [] as number[] };
  const p99 = { alone: [] as number[], beside: [] as number[] };
  const control = { cores: [] as number[], p50Ms: [] as number[], p99Ms: [] as number[] };
  for (let pair = 1; pair <= pairs; pair += 1) {
    const measured = { alone: await withCores(alone), beside: await withCores(beside) };
    for (const side of ['alone', 'beside'] as const) {
      p50[side].push(rounded(percentile(measured[side].result, 0.5)));
      p99[side].push(rounded(percentile(measured[side].result, 0.99)));
    }
    if (isControlled) {
      const cores = measured.beside.cores - measured.alone.cores;
      const latencies = await besideBurners(cores, alone);
      control.cores.push(rounded(cores));
      control.p50Ms.push(rounded(percentile(latencies, 0.5)));
      control.p99Ms.push(rounded(percentile(latencies, 0.99)));
    }
    console.error(`pair ${pair}: p99 ${p99.alone.at(-1)} ms alone, ${p99.beside.at(-1)} ms beside`);
  }
  const result = { pairs, latencyMs: { p50, p99 }, ...verdict(p99) };
  if (!isControlled) return result;
  const { medianP99Ms, ratio } = verdict({ alone: p99.alone, beside: control.p99Ms });
  return { ...result, sameCpuOutside: { ...control, medianP99Ms: medianP99Ms.beside, ratio } };
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
