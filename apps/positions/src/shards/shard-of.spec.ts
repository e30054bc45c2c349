import fc from 'fast-check';
import { SHARD_COUNT, shardOf, shardsOf } from './shard-of';

const wallet = (index: number): string => `0x${index.toString(16).padStart(40, '0')}`;

describe('shardOf', () => {
  it('spreads wallets evenly, also those that differ in few digits', () => {
    const counts = new Map<number, number>();
    for (let index = 0; index < 100 * SHARD_COUNT; index += 1) {
      const shard = shardOf(wallet(index));
      counts.set(shard, (counts.get(shard) ?? 0) + 1);
    }
    expect(counts.size).toBe(SHARD_COUNT);
    expect(Math.max(...counts.values())).toBeLessThan(150);
  });
});

describe('shardsOf', () => {
  const instances = fc.uniqueArray(fc.uuid(), { minLength: 1, maxLength: 8 });

  it('every shard belongs to exactly one live instance', () => {
    fc.assert(
      fc.property(instances, (alive) => {
        const held = alive.flatMap((instance) => [...shardsOf(instance, alive)]);
        expect(held.sort((a, b) => a - b)).toEqual(Array.from({ length: SHARD_COUNT }, (_, shard) => shard));
      }),
      { numRuns: 20 },
    );
  });

  it('an instance that stops does not change the shards of the others', () => {
    fc.assert(
      fc.property(instances, (alive) => {
        const [gone, ...left] = alive;
        expect(gone).toBeDefined();
        for (const instance of left) {
          const now = shardsOf(instance, left);
          expect([...shardsOf(instance, alive)].filter((shard) => !now.has(shard))).toEqual([]);
        }
      }),
      { numRuns: 20 },
    );
  });

  it('a single instance has all shards, whether it is in the list yet or not', () => {
    expect(shardsOf('a', []).size).toBe(SHARD_COUNT);
    expect(shardsOf('a', ['a']).size).toBe(SHARD_COUNT);
  });

  it('each of two instances has about half of the shards', () => {
    const sizes = Array.from({ length: 50 }, (_, run) => shardsOf(`a${run}`, [`a${run}`, `b${run}`]).size);
    for (const size of sizes) expect(Math.abs(size - SHARD_COUNT / 2)).toBeLessThan(SHARD_COUNT / 5);
  });
});
