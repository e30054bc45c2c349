import fc from 'fast-check';
import { judge } from './condition';
import { joined, positionsWithin, thresholdsOf } from './crossed-rules';

const verdict = (conditionType: 'price_below' | 'price_above', conditionValue: number, usd: number) =>
  judge(
    { conditionType, conditionValue, asset: 'ETH' },
    {
      healthFactor: null,
      collateralUsd: 0,
      debtUsd: 0,
      prices: { ETH: usd },
      riskScore: null,
      liquidationProbability: null,
    },
  ).verdict;

describe('thresholdsOf', () => {
  it('returns every threshold whose verdict differs between two prices', () => {
    const usd = fc.double({ min: 0.01, max: 1e5, noNaN: true });
    const near = fc.double({ min: 0.95, max: 1.05, noNaN: true });
    const side = fc.constantFrom('price_below' as const, 'price_above' as const);
    fc.assert(
      fc.property(usd, near, near, side, (from, moved, distance, type) => {
        const to = from * moved;
        const threshold = from * distance;
        const range = thresholdsOf('ETH', { high: Math.max(from, to), low: Math.min(from, to) });
        if (verdict(type, threshold, from) === verdict(type, threshold, to)) return;
        expect(threshold).toBeGreaterThanOrEqual(range.low * (1 - 1e-12));
        expect(threshold).toBeLessThanOrEqual(range.high * (1 + 1e-12));
      }),
      { numRuns: 1_000 },
    );
  });

  it('returns all thresholds without an earlier price', () => {
    const { low, high } = thresholdsOf('ETH', null);
    expect([low, high]).toEqual([0, Number.MAX_VALUE]);
  });
});

describe('positionsWithin', () => {
  it('names positions with a threshold within the range, and joins ranges of an asset', () => {
    const thresholds = [
      { positionId: 'a', asset: 'ETH', conditionValue: 100 },
      { positionId: 'b', asset: 'ETH', conditionValue: 300 },
      { positionId: 'c', asset: 'BTC', conditionValue: 100 },
    ];
    const one = { asset: 'ETH', low: 90, high: 110 };
    expect([...positionsWithin(one, thresholds)]).toEqual(['a']);
    const both = joined([one, { asset: 'ETH', low: 200, high: 400 }, { asset: 'BTC', low: 1, high: 2 }]);
    expect(both).toEqual([
      { asset: 'ETH', low: 90, high: 400 },
      { asset: 'BTC', low: 1, high: 2 },
    ]);
  });
});
