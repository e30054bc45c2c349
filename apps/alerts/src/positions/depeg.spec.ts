import { type Band, bandRank } from '@plimsoll/contracts';
import fc from 'fast-check';
import { depegOf, unpricedAssets } from './depeg';
import type { ContractFigures, StoredLeg } from './holdings';

const leg = (
  asset: string,
  side: StoredLeg['side'],
  amount: number,
  over: Partial<StoredLeg> = {},
): StoredLeg => ({
  asset,
  address: `0x${asset.length.toString(16).padStart(40, '0')}`,
  side,
  amountRaw: String(amount * 1e6),
  scaledRaw: String(amount * 1e6),
  decimals: 6,
  priceRaw: '100000000',
  priceDecimals: 8,
  thresholdBps: side === 'collateral' ? 9_000 : 0,
  amount,
  priceUsd: 1,
  ...over,
});
/** Health factor 1.01: the distance to liquidation is 1 − 1/1.01, 0.990 %. */
const pair = (legs = [leg('USDC', 'collateral', 10_100), leg('DAI', 'debt', 9_000)]): ContractFigures => ({
  healthFactorRaw: '1010000000000000000',
  baseDecimals: 8,
  isUsdKnown: true,
  legs,
});
const levelAt = (usdc: number, open: Band | null = null): 'high' | 'critical' | null =>
  depegOf(pair(), 1.01, { USDC: usdc, DAI: 1 }, open)?.level ?? null;

describe('depegOf', () => {
  it.each([
    [1, null],
    [0.9951, null],
    [0.995, 'high'],
    [0.9902, 'high'],
    [0.99, 'critical'],
    [0.9, 'critical'],
    [1.02, null],
  ])('with the collateral at %d is %s', (usdc, level) => expect(levelAt(usdc)).toBe(level));

  it('stays open down to 40 % of the distance', () => {
    expect(levelAt(0.996, 'high')).toBe('high');
    expect(levelAt(0.9961, 'high')).toBeNull();
    expect(levelAt(0.996)).toBeNull();
  });

  it('stays critical down to 80 % of the distance', () => {
    expect(levelAt(0.992, 'critical')).toBe('critical');
    expect(levelAt(0.9921, 'critical')).toBe('high');
    expect(levelAt(0.992, 'high')).toBe('high');
    expect(levelAt(0.9961, 'critical')).toBeNull();
  });

  it('names the asset that left its oracle price, and the deviation', () => {
    expect(depegOf(pair(), 1.01, { USDC: 0.985, DAI: 1 }, null)?.cause).toEqual({
      kind: 'depeg',
      asset: 'USDC',
      changePercent: expect.closeTo(-1.5, 9),
      fromUsd: 1,
      toUsd: 0.985,
    });
    expect(depegOf(pair(), 1.01, { USDC: 1, DAI: 1.02 }, null)).toMatchObject({
      level: 'critical',
      cause: { asset: 'DAI', toUsd: 1.02 },
    });
  });

  it('requires a market price of every asset, because oracle prices of an earlier block do not compare', () => {
    expect(depegOf(pair(), 1.01, {}, null)).toBeNull();
    expect(depegOf(pair(), 1.01, { USDC: 0.5 }, 'critical')).toBeNull();
    expect(unpricedAssets(pair(), { USDC: 0.5 })).toEqual(['DAI']);
  });

  it('ignores prices that move together', () => {
    expect(depegOf(pair(), 1.01, { USDC: 0.5, DAI: 0.5 }, null)).toBeNull();
    expect(depegOf(pair(), 1.01, { USDC: 1.2, DAI: 1.2 }, 'critical')).toBeNull();
  });

  it("grows with the deviation, and never falls below an open level's threshold", () => {
    const rank = (usdc: number, open: Band | null) => bandRank(levelAt(usdc, open) ?? 'low');
    const price = fc.double({ min: 0.9, max: 1.1, noNaN: true });
    fc.assert(
      fc.property(price, price, fc.constantFrom(null, 'high' as const, 'critical' as const), (a, b, open) => {
        expect(rank(Math.min(a, b), open)).toBeGreaterThanOrEqual(rank(Math.max(a, b), open));
        expect(rank(a, open)).toBeGreaterThanOrEqual(rank(a, null));
        // At one price, a level that opens also stays open.
        expect(rank(a, levelAt(a))).toBe(rank(a, null));
      }),
    );
  });

  it('compares a staking token with the market level of its family', () => {
    const loop = pair([
      leg('WSTETH', 'collateral', 10_100, { priceUsd: 3_500 }),
      leg('WETH', 'debt', 9_000, { priceUsd: 3_500 }),
    ]);
    // The whole family fell by 10 %, the staking token by 1 % more.
    const cause = depegOf(loop, 1.01, { WSTETH: 3_118.5, ETH: 3_150 }, null)?.cause;
    expect(cause).toMatchObject({ asset: 'WSTETH', changePercent: expect.closeTo(-1, 9), fromUsd: 3_150 });
    expect(depegOf(loop, 1.01, { WSTETH: 3_150, ETH: 3_150 }, null)).toBeNull();
  });

  it('applies to positions whose sides move together and whose oracle does not show the deviation yet', () => {
    const volatile = pair([leg('WETH', 'collateral', 10_100), leg('DAI', 'debt', 9_000)]);
    expect(depegOf(volatile, 1.01, { ETH: 0.5, DAI: 1 }, null)).toBeNull();
    expect(depegOf(pair(), 0.99, { USDC: 0.5, DAI: 1 }, null)).toBeNull();
    expect(depegOf(pair(), null, { USDC: 0.5, DAI: 1 }, null)).toBeNull();
    expect(depegOf({ ...pair(), isUsdKnown: false }, 1.01, { USDC: 0.5, DAI: 1 }, null)).toBeNull();
  });
});
