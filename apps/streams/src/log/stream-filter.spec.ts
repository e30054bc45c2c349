import { SEVERITIES, type StreamFilter } from '@plimsoll/contracts';
import fc from 'fast-check';
import { type FilterSubject, compileFilter } from './stream-filter';

const subject = (over: Partial<NonNullable<FilterSubject['position']>> = {}): FilterSubject => ({
  position: {
    id: 'pos_1',
    wallet: '0xab',
    protocol: 'aave-v3',
    chainId: 1,
    healthFactor: 1.2,
    collateralUsd: 5_000,
    ...over,
  },
  severity: null,
});
const aboutNothing: FilterSubject = { position: null, severity: 'high' };

describe('compileFilter', () => {
  it('passes everything without a field', () => {
    expect(compileFilter({}).fits(subject())).toBe(true);
    expect(compileFilter({}).fits(aboutNothing)).toBe(true);
  });

  it.each<[StreamFilter, boolean]>([
    [{ wallets: ['0xAB'] }, true],
    [{ wallets: ['0xcd'] }, false],
    [{ positionIds: ['pos_2', 'pos_1'] }, true],
    [{ positionIds: ['pos_2'] }, false],
    [{ protocols: ['aave-v3'] }, true],
    [{ protocols: ['compound-v3'] }, false],
    [{ chainIds: [10, 1] }, true],
    [{ chainIds: [10] }, false],
    [{ maxHealthFactor: 1.2 }, true],
    [{ maxHealthFactor: 1.19 }, false],
    [{ minUsd: 5_000 }, true],
    [{ minUsd: 5_001 }, false],
    [{ minSeverity: 'info' }, false],
    [{ chainIds: [1], protocols: ['compound-v3'] }, false],
  ])('%j: %s', (filter, expected) => expect(compileFilter(filter).fits(subject())).toBe(expected));

  it('matches no health factor for a position without debt', () => {
    expect(compileFilter({ maxHealthFactor: 1e9 }).fits(subject({ healthFactor: null }))).toBe(false);
  });

  it.each<StreamFilter>([
    { wallets: ['0xab'] },
    { positionIds: ['pos_1'] },
    { protocols: ['aave-v3'] },
    { chainIds: [1] },
    { maxHealthFactor: 9 },
    { minUsd: 0 },
  ])('matches %j with no alert without a position', (filter) => {
    expect(compileFilter(filter).fits(aboutNothing)).toBe(false);
  });

  it('orders severities', () => {
    const found = SEVERITIES.filter((severity) =>
      compileFilter({ minSeverity: 'medium' }).fits({ ...subject(), severity }),
    );
    expect(found).toEqual(['medium', 'high', 'critical']);
  });

  it('only becomes narrower with every field', () => {
    const anyFilter = fc.record(
      {
        wallets: fc.subarray(['0xab', '0xcd'], { minLength: 1 }),
        chainIds: fc.subarray([1, 10], { minLength: 1 }),
        protocols: fc.subarray(['aave-v3', 'compound-v3'], { minLength: 1 }),
        maxHealthFactor: fc.double({ min: 0, max: 3, noNaN: true }),
        minUsd: fc.integer({ min: 0, max: 10_000 }),
      },
      { requiredKeys: [] },
    );
    fc.assert(
      fc.property(anyFilter, anyFilter, (one, more) => {
        const both = compileFilter({ ...more, ...one }).fits(subject());
        if (both) expect(compileFilter(one).fits(subject())).toBe(true);
      }),
    );
  });
});
