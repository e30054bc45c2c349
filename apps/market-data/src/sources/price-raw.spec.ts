import fc from 'fast-check';
import { medianRaw, rescale, toPriceRaw, toUsd } from './price-raw';

describe('toPriceRaw', () => {
  it.each([
    [3_151.25, 3_151_250_000_000_000_000_000n],
    [1e-7, 100_000_000_000n],
    [0.1, 100_000_000_000_000_000n],
    [1.5e15, 15n * 10n ** 32n],
  ])('%s USD', (usd, raw) => {
    expect(toPriceRaw(usd)).toBe(raw);
  });

  it('is undone by toUsd', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-3, max: 1e9, noNaN: true }),
        (usd) => Math.abs(toUsd(toPriceRaw(usd)) / usd - 1) < 1e-14,
      ),
    );
  });
});

describe('rescale', () => {
  it('converts a feed’s decimals to 18', () => {
    expect(rescale(315_000_000_000n, 8)).toBe(3_150n * 10n ** 18n);
    expect(rescale(10n ** 20n, 20)).toBe(10n ** 18n);
  });
});

describe('medianRaw', () => {
  it('is the middle value, or the mean of the two in the middle', () => {
    expect(medianRaw([3n, 1n, 2n])).toBe(2n);
    expect(medianRaw([4n, 1n, 2n, 9n])).toBe(3n);
    expect(() => medianRaw([])).toThrow(RangeError);
  });
});
