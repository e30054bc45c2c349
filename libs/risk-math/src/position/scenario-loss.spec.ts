import fc from 'fast-check';
import { depthOf, type Depth } from '../depth/depth';
import type { RiskPosition } from './position';
import { scenarioLoss } from './scenario-loss';
import { positionTotals } from './totals';
import { shockPosition } from './what-if';

const DEPTHS: Readonly<Record<string, Depth>> = {
  ETH: depthOf({ symbol: 'ETH', family: 'ETH', kind: 'volatile' }),
  LINK: depthOf({ symbol: 'LINK', family: 'LINK', kind: 'volatile' }),
  USDC: depthOf({ symbol: 'USDC', family: 'USD', kind: 'stable' }),
};
const depthOfSymbol = (asset: string): Depth => DEPTHS[asset]!;

const eth = (amount: number, liquidationThreshold = 0.825, liquidationBonus = 0.05) => ({
  asset: 'ETH',
  amount,
  priceUsd: 3_000,
  liquidationThreshold,
  liquidationBonus,
});
const usdc = (amount: number) => ({ asset: 'USDC', amount, priceUsd: 1 });

const lossOf = (position: RiskPosition, ...shocks: [string, number][]) => {
  const after = shockPosition(
    position,
    shocks.map(([asset, priceChangePercent]) => ({ asset, priceChangePercent })),
  );
  return scenarioLoss(position, after, depthOfSymbol);
};

const positions = fc
  .record({
    amount: fc.double({ min: 0.1, max: 50_000, noNaN: true }),
    threshold: fc.double({ min: 0.4, max: 0.93, noNaN: true }),
    bonus: fc.double({ min: 0.01, max: 0.07, noNaN: true }),
    healthFactor: fc.double({ min: 1.001, max: 3, noNaN: true }),
    link: fc.double({ min: 0, max: 2, noNaN: true }),
    idle: fc.double({ min: 0, max: 1, noNaN: true }),
  })
  .map(({ amount, threshold, bonus, healthFactor, link, idle }): RiskPosition => {
    const collateral = [
      eth(amount, threshold, bonus),
      { ...eth((amount * link) / 1.01, threshold, bonus), asset: 'LINK' },
      { ...eth(amount * idle, 0, bonus), asset: 'USDC' },
    ];
    const { weightedCollateralUsd } = positionTotals({ collateral, debt: [] });
    return { collateral, debt: [usdc(weightedCollateralUsd / healthFactor)] };
  });
const falls = fc.double({ min: 0, max: 100, noNaN: true });
const fall = (percent: number): [string, number][] => [
  ['ETH', -percent],
  ['LINK', -percent],
];

describe('scenarioLoss', () => {
  it('is only the fall of the market without a liquidation', () => {
    expect(lossOf({ collateral: [eth(10)], debt: [usdc(16_000)] }, ['ETH', -20])).toMatchObject({
      lossUsd: 6_000,
      marketLossUsd: 6_000,
      penaltyUsd: 0,
      slippageUsd: 0,
      badDebtUsd: 0,
      calls: [],
    });
  });

  it('has half of the debt repaid just below 1, and the bonus on it as the penalty', () => {
    const loss = lossOf({ collateral: [eth(10)], debt: [usdc(20_000)] }, ['ETH', -20]);
    expect(loss.calls.map(({ closeFactor, repayUsd }) => [closeFactor, repayUsd])).toEqual([[0.5, 10_000]]);
    expect(loss.marketLossUsd).toBeCloseTo(6_000, 8);
    expect(loss.penaltyUsd).toBeCloseTo(500, 8);
    expect(loss.slippageUsd).toBeCloseTo(10_500 ** 2 / (DEPTHS['ETH']!.reserveUsd + 10_500), 8);
    expect(loss.lossUsd).toBeCloseTo(6_500 + loss.slippageUsd, 8);
    expect(loss.badDebtUsd).toBe(0);
  });

  it('is never more than the equity; an uncovered remainder is bad debt of the protocol', () => {
    const position = { collateral: [eth(10)], debt: [usdc(16_204)] };
    const loss = lossOf(position, ['ETH', -76.6]);
    expect(loss.lossUsd).toBeCloseTo(13_796, 8);
    expect(loss).toMatchObject({ penaltyUsd: 0, slippageUsd: 0 });
    // 7,020 of collateral pay for 7,020/1.05 of the debt.
    expect(loss.badDebtUsd).toBeCloseTo(16_204 - 7_020 / 1.05, 6);
  });

  it('a supply that secures nothing is not seized and stays with its owner', () => {
    const idle = { ...eth(5_000, 0), asset: 'USDC', priceUsd: 1 };
    const loss = lossOf({ collateral: [eth(10), idle], debt: [usdc(20_000)] }, ['ETH', -90]);
    expect(loss.lossUsd).toBeCloseTo(10_000, 8);
    expect(loss.calls.every(({ collateralAsset }) => collateralAsset === 'ETH')).toBe(true);
  });

  it('collateral in the debt’s own asset is not sold', () => {
    const position = { collateral: [eth(11, 0.9)], debt: [{ asset: 'ETH', amount: 10, priceUsd: 3_000 }] };
    const loss = lossOf(position);
    expect(loss.penaltyUsd).toBeGreaterThan(0);
    expect(loss.slippageUsd).toBe(0);
  });

  it('the parts are the loss, and the loss is at most the equity', () => {
    fc.assert(
      fc.property(positions, falls, (position, percent) => {
        const loss = lossOf(position, ...fall(percent));
        const { netWorthUsd } = positionTotals(position);
        const scale = positionTotals(position).totalCollateralUsd;
        for (const part of [loss.marketLossUsd, loss.penaltyUsd, loss.slippageUsd, loss.badDebtUsd]) {
          expect(part).toBeGreaterThanOrEqual(0);
        }
        expect(loss.marketLossUsd + loss.penaltyUsd + loss.slippageUsd).toBeCloseTo(loss.lossUsd, 6);
        expect(loss.lossUsd).toBeLessThanOrEqual(Math.max(0, netWorthUsd) + 1e-9 * scale);
      }),
      { numRuns: 500 },
    );
  });

  it('every loss has a bearer: the owner or the protocol bears market and bonus', () => {
    fc.assert(
      fc.property(positions, falls, (position, percent) => {
        const after = shockPosition(position, [
          { asset: 'ETH', priceChangePercent: -percent },
          { asset: 'LINK', priceChangePercent: -percent },
        ]);
        const loss = scenarioLoss(position, after, depthOfSymbol);
        const market = positionTotals(position).netWorthUsd - positionTotals(after).netWorthUsd;
        const bonus = loss.calls.reduce((sum, { penaltyUsd }) => sum + penaltyUsd, 0);
        const scale = positionTotals(position).totalCollateralUsd;
        const borne = loss.marketLossUsd + loss.penaltyUsd + loss.badDebtUsd;
        expect(Math.abs(market + bonus - borne)).toBeLessThan(1e-9 * scale);
      }),
      { numRuns: 500 },
    );
  });

  it('without a liquidation there is neither penalty nor slippage nor bad debt', () => {
    fc.assert(
      fc.property(positions, falls, (position, percent) => {
        const after = shockPosition(
          position,
          fall(percent).map(([asset, priceChangePercent]) => ({ asset, priceChangePercent })),
        );
        const { healthFactor } = positionTotals(after);
        const { penaltyUsd, slippageUsd, badDebtUsd, calls } = scenarioLoss(position, after, depthOfSymbol);
        if (healthFactor! >= 1)
          expect([penaltyUsd, slippageUsd, badDebtUsd, calls.length]).toEqual([0, 0, 0, 0]);
        else expect(calls.length).toBeGreaterThan(percent === 100 ? -1 : 0);
      }),
      { numRuns: 500 },
    );
  });

  it('a deeper fall never loses less, nor leaves less bad debt', () => {
    fc.assert(
      fc.property(positions, falls, falls, (position, a, b) => {
        const [less, more] = [Math.min(a, b), Math.max(a, b)].map((percent) =>
          lossOf(position, ...fall(percent)),
        );
        const slack = 1e-9 * positionTotals(position).totalCollateralUsd;
        expect(more!.lossUsd).toBeGreaterThanOrEqual(less!.lossUsd - slack);
        expect(more!.badDebtUsd).toBeGreaterThanOrEqual(less!.badDebtUsd - slack);
      }),
      { numRuns: 1_000 },
    );
  });
});
