import fc from 'fast-check';
import type { ContractFigures, StoredLeg } from '../positions/holdings';
import { causeOf } from './cause';

const leg = (asset: string, side: StoredLeg['side'], amount: number, priceUsd: number): StoredLeg => ({
  asset,
  address: `0x${Buffer.from(asset).toString('hex').padStart(40, '0')}`,
  side,
  amountRaw: String(Math.round(amount * 1e6)),
  scaledRaw: String(Math.round(amount * 1e6)),
  decimals: 6,
  priceRaw: String(Math.round(priceUsd * 1e8)),
  priceDecimals: 8,
  thresholdBps: side === 'collateral' ? 8_000 : 0,
  amount,
  priceUsd,
});
const weth = leg('WETH', 'collateral', 10, 2_000);
const wbtc = leg('WBTC', 'collateral', 0.1, 90_000);
const usdc = leg('USDC', 'debt', 12_000, 1);
const of = (...legs: StoredLeg[]): ContractFigures => ({
  healthFactorRaw: null,
  baseDecimals: 8,
  isUsdKnown: true,
  legs,
});

describe('causeOf', () => {
  it('names the price with the largest effect', () => {
    const after = of({ ...weth, priceUsd: 1_800 }, { ...wbtc, priceUsd: 88_000 }, usdc);
    expect(causeOf(of(weth, wbtc, usdc), after)).toEqual({
      kind: 'price',
      asset: 'WETH',
      changePercent: expect.closeTo(-10, 9),
      fromUsd: 2_000,
      toUsd: 1_800,
    });
  });

  it('names a debt whose price rose', () => {
    const debt = leg('WETH', 'debt', 4, 2_000);
    const after = of(wbtc, { ...debt, priceUsd: 2_200 });
    expect(causeOf(of(wbtc, debt), after)).toMatchObject({ asset: 'WETH', toUsd: 2_200 });
  });

  it('distinguishes an act of the owner from interest by the principal', () => {
    const more = { ...usdc, amount: 13_000 };
    expect(causeOf(of(weth, usdc), of(weth, more))).toMatchObject({ kind: 'interest', asset: 'USDC' });
    const borrowed = { ...more, scaledRaw: '13000000000' };
    expect(causeOf(of(weth, usdc), of(weth, borrowed))).toMatchObject({
      kind: 'position_change',
      asset: 'USDC',
      changePercent: expect.closeTo(8.333333, 5),
    });
    expect(causeOf(of(weth, wbtc, usdc), of(weth, usdc))).toMatchObject({
      kind: 'position_change',
      asset: 'WBTC',
      changePercent: -100,
    });
  });

  it('names a threshold that the protocol lowered', () => {
    expect(causeOf(of(weth, usdc), of({ ...weth, thresholdBps: 7_600 }, usdc))).toMatchObject({
      kind: 'parameter',
      asset: 'WETH',
      changePercent: expect.closeTo(-5, 9),
    });
  });

  it('attributes a first debt to the owner', () => {
    expect(causeOf(of(weth), of(weth, usdc))).toMatchObject({
      kind: 'position_change',
      asset: 'USDC',
      changePercent: null,
    });
  });

  it('has no cause without a change', () => {
    expect(causeOf(of(weth, usdc), of(weth, usdc))).toBeNull();
  });

  it('names the price that moved, in the direction of the health factor, when only prices moved', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 0.3, max: 3, noNaN: true }),
        fc.constantFrom(weth, wbtc),
        (factor, moved) => {
          if (Math.abs(factor - 1) < 1e-6) return;
          const after = of(
            ...[weth, wbtc].map((each) =>
              each === moved ? { ...each, priceUsd: each.priceUsd * factor } : each,
            ),
            usdc,
          );
          const cause = causeOf(of(weth, wbtc, usdc), after);
          expect(cause).toMatchObject({ kind: 'price', asset: moved.asset });
          expect(Math.sign(cause?.changePercent ?? 0)).toBe(Math.sign(factor - 1));
        },
      ),
    );
  });
});
