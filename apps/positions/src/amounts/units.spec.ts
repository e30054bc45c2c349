import fc from 'fast-check';
import { healthFactorNumber, toDouble } from './units';

describe('toDouble', () => {
  it.each<[bigint, number, number]>([
    [0n, 18, 0],
    [1n, 18, 1e-18],
    [1_237_500_000_000_000_000n, 18, 1.2375],
    [-250n, 2, -2.5],
    [96_000_00000000n, 8, 96_000],
    [123_456_789_012_345_678_901n, 18, 123.45678901234568],
  ])('%d with %d decimals is %d', (raw, decimals, value) => {
    expect(toDouble(raw, decimals)).toBe(value);
  });

  it('returns the nearest double: no other is closer to the exact value', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 1n, max: 10n ** 30n }),
        fc.integer({ min: 0, max: 18 }),
        (raw, decimals) => {
          const text = raw.toString().padStart(decimals + 1, '0');
          const decimal = `${text.slice(0, text.length - decimals)}.${text.slice(text.length - decimals) || '0'}`;
          expect(toDouble(raw, decimals)).toBe(Number(decimal));
        },
      ),
    );
  });

  it('a health factor without debt is null', () => {
    expect(healthFactorNumber(null)).toBeNull();
  });
});
