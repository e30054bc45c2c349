import type { BlockRef } from '@plimsoll/evm';
import fc from 'fast-check';
import { MOST_WAIT_MS, WaitingHeads } from './waiting-heads';

const block = (number: number): BlockRef => ({
  number: BigInt(number),
  hash: `0x${String(number).padStart(64, '0')}`,
  timestamp: BigInt(number),
});
const blocks = (...numbers: number[]): BlockRef[] => numbers.map(block);
const taken = (heads: WaitingHeads, nowMs: number): number | null => {
  const next = heads.take(nowMs);
  return next && Number(next.block.number);
};

describe('WaitingHeads', () => {
  it('returns every block of a burst in order', () => {
    const heads = new WaitingHeads();
    heads.add(blocks(1), 0);
    heads.add(blocks(2, 3), 5);
    expect([taken(heads, 10), taken(heads, 40), taken(heads, 80), taken(heads, 90)]).toEqual([1, 2, 3, null]);
  });

  it('skips all but the newest when the oldest waited too long', () => {
    const heads = new WaitingHeads();
    heads.add(blocks(1, 2), 0);
    heads.add(blocks(3), MOST_WAIT_MS - 100);
    expect([taken(heads, MOST_WAIT_MS), heads.skipped]).toEqual([1, 0]);
    expect([taken(heads, MOST_WAIT_MS + 1), heads.skipped]).toEqual([3, 1]);
    heads.add(blocks(4), MOST_WAIT_MS);
    expect([taken(heads, 3 * MOST_WAIT_MS), heads.skipped, heads.isEmpty]).toEqual([4, 1, true]);
  });

  it('keeps at most 64 blocks, the newest', () => {
    const heads = new WaitingHeads();
    heads.add(blocks(...Array.from({ length: 70 }, (_, at) => at)), 0);
    expect([heads.skipped, taken(heads, 0)]).toEqual([6, 6]);
  });

  it('forgets blocks that a reorg removed', () => {
    const heads = new WaitingHeads();
    heads.add(blocks(1, 2), 0);
    heads.clear();
    heads.add(blocks(2), 1);
    expect([taken(heads, 2), taken(heads, 2)]).toEqual([2, null]);
  });

  it('returns each block at most once, in order, and the newest in the end', () => {
    fc.assert(
      fc.property(fc.array(fc.tuple(fc.nat(5), fc.nat(2_000)), { minLength: 1 }), (steps) => {
        const heads = new WaitingHeads();
        let [number, nowMs] = [0, 0];
        const seen: number[] = [];
        for (const [count, laterMs] of steps) {
          heads.add(blocks(...Array.from({ length: count }, () => (number += 1))), nowMs);
          nowMs += laterMs;
          const next = taken(heads, nowMs);
          if (next !== null) seen.push(next);
        }
        while (!heads.isEmpty) seen.push(taken(heads, nowMs)!);
        expect(seen).toEqual([...new Set(seen)].toSorted((a, b) => a - b));
        expect(seen.at(-1) ?? 0).toBe(number);
        expect(seen.length + heads.skipped).toBe(number);
      }),
    );
  });
});
