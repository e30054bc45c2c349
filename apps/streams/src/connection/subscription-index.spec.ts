import type { StreamFilter } from '@plimsoll/contracts';
import fc from 'fast-check';
import { type FilterSubject, compileFilter } from '../log/stream-filter';
import { SubscriptionIndex } from './subscription-index';

const anyFilter = fc.record(
  {
    wallets: fc.subarray(['0xab', '0xCD'], { minLength: 1 }),
    positionIds: fc.subarray(['pos_1', 'pos_2', 'pos_3'], { minLength: 1 }),
    chainIds: fc.subarray([1, 10], { minLength: 1 }),
    protocols: fc.subarray(['aave-v3', 'compound-v3'], { minLength: 1 }),
    maxHealthFactor: fc.double({ min: 0, max: 3, noNaN: true }),
    minUsd: fc.integer({ min: 0, max: 10_000 }),
    minSeverity: fc.constantFrom('info', 'high'),
  },
  { requiredKeys: [] },
);
const anySubject: fc.Arbitrary<FilterSubject> = fc.record({
  position: fc.option(
    fc.record({
      id: fc.constantFrom('pos_1', 'pos_2', 'pos_3'),
      wallet: fc.constantFrom('0xab', '0xcd'),
      protocol: fc.constantFrom('aave-v3', 'compound-v3'),
      chainId: fc.constantFrom(1, 10),
      healthFactor: fc.option(fc.double({ min: 0, max: 3, noNaN: true })),
      collateralUsd: fc.integer({ min: 0, max: 10_000 }),
    }),
  ),
  severity: fc.option(fc.constantFrom('info' as const, 'critical' as const)),
});

const entryOf = (wanted: StreamFilter) => {
  const filter = compileFilter(wanted);
  return { filter, matchesRest: filter.matchesRest };
};

describe('SubscriptionIndex', () => {
  it('finds exactly the matching filters, each once, and none that was removed', () => {
    fc.assert(
      fc.property(fc.array(anyFilter), fc.array(anyFilter), anySubject, (kept, removed, subject) => {
        const index = new SubscriptionIndex();
        const entries = kept.map(entryOf);
        const gone = removed.map(entryOf);
        const all = [...gone, ...entries];
        for (const [slot, entry] of all.entries()) index.add(entry, slot);
        for (const entry of gone) index.remove(entry);
        const found: unknown[] = [];
        index.match(subject, (slot) => found.push(all[slot]));
        const fitting = entries.filter(({ filter }) => filter.fits(subject));
        expect(found).toHaveLength(fitting.length);
        expect(new Set(found)).toEqual(new Set(fitting));
      }),
    );
  });
});
