import fc from 'fast-check';
import type { ContractFigures, StoredLeg } from './holdings';
import { figuresOf, storedFigures } from './stored-figures';

const raw = fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }).map(String);
const number = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true }).map((value) => value + 0);
const leg: fc.Arbitrary<StoredLeg> = fc.record({
  // Well-formed text with any characters. A column of Postgres cannot hold the character 0.
  asset: fc.string({ unit: 'binary', maxLength: 12 }).filter((text) => !text.includes('\0')),
  address: fc.constantFrom('', '0x0000000000000000000000000000000000000001'),
  side: fc.constantFrom('collateral', 'debt'),
  amountRaw: raw,
  scaledRaw: raw,
  decimals: fc.nat(36),
  priceRaw: raw,
  priceDecimals: fc.nat(36),
  thresholdBps: fc.nat(10_000),
  amount: number,
  priceUsd: number,
});
const figures: fc.Arbitrary<ContractFigures> = fc.record({
  healthFactorRaw: fc.option(raw),
  baseDecimals: fc.nat(36),
  isUsdKnown: fc.boolean(),
  legs: fc.array(leg, { maxLength: 6 }),
});

describe('storedFigures', () => {
  it('returns the same figures after storage', () => {
    fc.assert(
      fc.property(figures, fc.nat(), (given, sequence) => {
        expect(figuresOf(storedFigures(sequence, given), sequence)).toEqual(given);
      }),
    );
  });

  it('ignores the text of another state, which an earlier release left in place', () => {
    const text = storedFigures(7, { healthFactorRaw: null, baseDecimals: 8, isUsdKnown: true, legs: [] });
    expect(figuresOf(text, 8)).toBeUndefined();
    expect(figuresOf(text, 7)).toBeDefined();
  });

  it('keeps a symbol that contains the separator', () => {
    const [only] = fc.sample(leg, 1) as [StoredLeg];
    const legs = [{ ...only, asset: '100%|debt|%7C' }];
    const given = { healthFactorRaw: '1', baseDecimals: 8, isUsdKnown: false, legs };
    expect(figuresOf(storedFigures(1, given), 1)).toEqual(given);
  });
});
