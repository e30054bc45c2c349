import { percentile } from '../../bench/flow/percentile';
import { type Check, check } from './attack';

const BOUND = 1.5;

/** Latencies of one account in milliseconds, one list for each pair of measurements. */
export interface Pairs {
  alone: number[][];
  beside: number[][];
}

/**
 * Measures one account alone and beside an attack in turn, so that the load of the machine affects both.
 * @param measure latencies of the account
 * @param start begins the attack, and returns the function that ends it
 */
export async function inPairs(
  pairs: number,
  measure: () => Promise<number[]>,
  start: () => Promise<() => Promise<void>>,
): Promise<Pairs> {
  const measured: Pairs = { alone: [], beside: [] };
  for (let pair = 0; pair < pairs; pair += 1) {
    measured.alone.push(await measure());
    const end = await start();
    try {
      measured.beside.push(await measure());
    } finally {
      await end();
    }
  }
  return measured;
}

/**
 * Returns a check that the median of the pairs' p99 beside the attack is at most 1.5 times that alone.
 * @param spareMs a difference below it is noise of the machine
 */
export function isFair(name: string, { alone, beside }: Pairs, spareMs: number): Check {
  const [before, during] = [medianOf(alone, 0.99), medianOf(beside, 0.99)];
  const [middle, middleDuring] = [medianOf(alone, 0.5), medianOf(beside, 0.5)];
  const limit = Math.max(BOUND * before, before + spareMs);
  return check(
    name,
    during <= limit,
    `p50 ${rounded(middle)} ms alone, ${rounded(middleDuring)} ms beside; p99 ${rounded(before)} ms alone, ${rounded(during)} ms beside (${rounded(during / before)} times, at most ${rounded(limit)} ms)`,
  );
}

/** Returns a check that no request beside the attack took `waitMs` longer than the slowest without it. */
export function waitsAtMost(name: string, { alone, beside }: Pairs, waitMs: number): Check {
  const [before, during] = [Math.max(...alone.flat()), Math.max(...beside.flat())];
  return check(
    name,
    during - before <= waitMs,
    `at most ${rounded(before)} ms alone, ${rounded(during)} ms beside`,
  );
}

const medianOf = (lists: readonly (readonly number[])[], q: number): number =>
  percentile(
    lists.map((list) => percentile(list, q)),
    0.5,
  );

const rounded = (value: number): number => Math.round(value * 10) / 10;
