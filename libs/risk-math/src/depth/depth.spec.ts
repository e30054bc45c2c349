import fc from 'fast-check';
import { depthOf, priceImpact, saleAtImpact, slippageUsd, type DepthAsset } from './depth';

const volatile = (symbol: string): DepthAsset => ({ symbol, family: symbol, kind: 'volatile' });
const ASSETS: readonly DepthAsset[] = [
  volatile('BTC'),
  volatile('ETH'),
  { symbol: 'WSTETH', family: 'ETH', kind: 'staked' },
  { symbol: 'RETH', family: 'ETH', kind: 'staked' },
  { symbol: 'USDC', family: 'USD', kind: 'stable' },
  { symbol: 'MAI', family: 'USD', kind: 'stable' },
  volatile('LINK'),
  volatile('UNKNOWN'),
];
const depths = fc.constantFrom(...ASSETS).map(depthOf);
const amounts = fc.double({ min: 0, max: 1e12, noNaN: true });

describe('depthOf', () => {
  it('reproduces the measurements: the loss or the fall of the price at the published size', () => {
    expect(priceImpact(depthOf(volatile('UNKNOWN')), 100_000)).toBeCloseTo(0.063, 12);
    expect(priceImpact(depthOf(volatile('LINK')), 17e6)).toBeCloseTo(0.075, 12);
    expect(priceImpact(depthOf(ASSETS[4]!), 100e6)).toBeCloseTo(0.01, 12);
    const fall = (asset: string, usd: number): number =>
      1 - (1 - priceImpact(depthOf(volatile(asset)), usd)) ** 2;
    expect(fall('ETH', 43e6)).toBeCloseTo(0.02, 12);
    expect(fall('BTC', 92e6)).toBeCloseTo(0.02, 12);
  });

  it('a wrapped token has the depth of its underlying, and a staked one sells through it', () => {
    const wrapped: DepthAsset = { symbol: 'CBBTC', family: 'BTC', kind: 'wrapped' };
    expect(depthOf(wrapped)).toEqual(depthOf(volatile('BTC')));
    const lossUsd = slippageUsd(depthOf(ASSETS[2]!), 1e6);
    expect(lossUsd).toBeGreaterThan(slippageUsd(depthOf(volatile('ETH')), 1e6));
  });

  it('reports the basis of its figure: the asset, its class, or the default for an unmeasured asset', () => {
    expect(ASSETS.map((asset) => depthOf(asset).basis)).toEqual([
      'asset',
      'asset',
      'asset',
      'class',
      'asset',
      'class',
      'class',
      'default',
    ]);
    const loss = (asset: DepthAsset): number => priceImpact(depthOf(asset), 1e6);
    for (const asset of ASSETS) expect(loss(asset)).toBeLessThanOrEqual(loss(volatile('UNKNOWN')));
  });
});

describe('saleAtImpact', () => {
  it('is the sale that loses the impact', () => {
    const impacts = fc.double({ min: 0, max: 0.99, noNaN: true });
    fc.assert(
      fc.property(depths, impacts, (depth, impact) => {
        expect(priceImpact(depth, saleAtImpact(depth, impact))).toBeCloseTo(impact, 12);
      }),
    );
  });

  it('rejects an impact that no sale has', () => {
    for (const impact of [-0.01, 1, Number.NaN])
      expect(() => saleAtImpact(depthOf(volatile('ETH')), impact)).toThrow(RangeError);
  });
});

describe('priceImpact and slippageUsd', () => {
  it('are 0 for an amount of 0, and the impact stays below 1', () => {
    fc.assert(
      fc.property(depths, amounts, (depth, usd) => {
        expect(priceImpact(depth, 0)).toBe(0);
        expect(slippageUsd(depth, 0)).toBe(0);
        expect(priceImpact(depth, usd)).toBeGreaterThanOrEqual(0);
        expect(priceImpact(depth, usd)).toBeLessThan(1);
      }),
    );
  });

  it('grow with the amount, and selling more never returns less', () => {
    fc.assert(
      fc.property(depths, amounts, amounts, (depth, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)];
        expect(priceImpact(depth, more)).toBeGreaterThanOrEqual(priceImpact(depth, less));
        expect(slippageUsd(depth, more)).toBeGreaterThanOrEqual(slippageUsd(depth, less));
        const proceeds = (usd: number): number => usd - slippageUsd(depth, usd);
        expect(proceeds(more)).toBeGreaterThanOrEqual(proceeds(less) - 1e-9 * more);
      }),
    );
  });

  it('the loss is convex: two halves sold separately cost less than the whole at once', () => {
    fc.assert(
      fc.property(depths, amounts, amounts, fc.double({ min: 0, max: 1, noNaN: true }), (depth, a, b, t) => {
        const between = slippageUsd(depth, t * a + (1 - t) * b);
        const chord = t * slippageUsd(depth, a) + (1 - t) * slippageUsd(depth, b);
        expect(between).toBeLessThanOrEqual(chord + 1e-9 * Math.max(1, a, b));
      }),
    );
  });

  it('rejects negative amounts', () => {
    const depth = depthOf(volatile('ETH'));
    for (const usd of [-1, Number.NaN]) expect(() => priceImpact(depth, usd)).toThrow(RangeError);
  });
});
