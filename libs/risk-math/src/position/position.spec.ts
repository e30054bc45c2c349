import fc from 'fast-check';
import { addToTarget, repayToTarget, sellToTarget } from './deleverage';
import { liquidationCall } from './liquidation-call';
import { distancePercent, liquidationPrice, volatileDistancePercent } from './liquidation-price';
import { assetsOf, type RiskPosition } from './position';
import { healthFactor, positionTotals } from './totals';
import { assertHeld, shockPosition, UnknownAssetError, whatIf } from './what-if';

const asset = fc.constantFrom('WETH', 'WBTC', 'LINK', 'USDC', 'DAI');
const amount = fc.double({ min: 1e-3, max: 1e6, noNaN: true });
const price = fc.double({ min: 1e-2, max: 1e5, noNaN: true });
const collateralLeg = fc.record({
  asset,
  amount,
  priceUsd: price,
  liquidationThreshold: fc.double({ min: 0.3, max: 0.95, noNaN: true }),
  liquidationBonus: fc.double({ min: 0, max: 0.15, noNaN: true }),
});
const debtLeg = fc.record({ asset, amount, priceUsd: price });
const anyPosition: fc.Arbitrary<RiskPosition> = fc.record({
  collateral: fc.uniqueArray(collateralLeg, { minLength: 1, maxLength: 4, selector: (leg) => leg.asset }),
  debt: fc.uniqueArray(debtLeg, { minLength: 1, maxLength: 3, selector: (leg) => leg.asset }),
});

const simple: RiskPosition = {
  collateral: [
    { asset: 'WETH', amount: 10, priceUsd: 3_000, liquidationThreshold: 0.8, liquidationBonus: 0.05 },
  ],
  debt: [{ asset: 'USDC', amount: 16_000, priceUsd: 1 }],
};
const withoutDebt: RiskPosition = { ...simple, debt: [] };
const isStable = (name: string): boolean => name === 'USDC' || name === 'DAI';

describe('positionTotals', () => {
  it('health factor null without debt, 0 without collateral', () => {
    expect(healthFactor(withoutDebt)).toBeNull();
    expect(positionTotals({ collateral: [], debt: simple.debt })).toMatchObject({
      healthFactor: 0,
      ltv: null,
      isLiquidatable: true,
    });
  });

  it('is not liquidatable at exactly 1', () => {
    const edge = { ...simple, debt: [{ asset: 'USDC', amount: 24_000, priceUsd: 1 }] };
    expect(positionTotals(edge)).toMatchObject({ healthFactor: 1, isLiquidatable: false });
  });
});

describe('what-if', () => {
  it('moves an asset on both sides and nothing else', () => {
    const both = { ...simple, debt: [...simple.debt, { asset: 'WETH', amount: 1, priceUsd: 3_000 }] };
    const shocked = shockPosition(both, [{ asset: 'WETH', priceChangePercent: -50 }]);
    expect(shocked.collateral[0]!.priceUsd).toBe(1_500);
    expect(shocked.debt.map(({ priceUsd }) => priceUsd)).toEqual([1, 1_500]);
  });

  it('has no loss at 0 %, and treats a fall below −100 % as −100 %', () => {
    expect(whatIf(simple, [{ asset: 'WETH', priceChangePercent: 0 }]).estimatedLossUsd).toBe(0);
    expect(whatIf(simple, [{ asset: 'WETH', priceChangePercent: -101 }]).collateralUsd).toBe(0);
  });

  it('applies shocks of one asset one after the other', () => {
    const fall = { asset: 'WETH', priceChangePercent: -20 };
    expect(whatIf(simple, [fall]).newHealthFactor).toBe(1.2);
    expect(whatIf(simple, [fall, fall]).newHealthFactor).toBeCloseTo(0.96, 12);
  });

  it('names an asset that is not held', () => {
    expect(() => assertHeld(simple, [{ asset: 'UNI', priceChangePercent: 1 }])).toThrow(UnknownAssetError);
    expect(assetsOf(simple)).toEqual(['WETH', 'USDC']);
  });
});

describe('liquidationPrice', () => {
  it('puts the health factor at 1', () => {
    fc.assert(
      fc.property(anyPosition, asset, (position, name) => {
        const at = liquidationPrice(position, name);
        if (at === null) return;
        const leg = [...position.collateral, ...position.debt].find((each) => each.asset === name)!;
        const set = <Leg extends { asset: string; priceUsd: number }>(each: Leg): Leg =>
          each.asset === name ? { ...each, priceUsd: at } : each;
        const moved = { collateral: position.collateral.map(set), debt: position.debt.map(set) };
        const { weightedCollateralUsd, totalDebtUsd } = positionTotals(moved);
        const scale = weightedCollateralUsd + totalDebtUsd + leg.priceUsd * leg.amount;
        expect(Math.abs(weightedCollateralUsd - totalDebtUsd)).toBeLessThan(1e-6 * scale);
      }),
    );
  });

  it('is null without debt and for an asset that cannot bring the health factor to 1 alone', () => {
    expect(liquidationPrice(withoutDebt, 'WETH')).toBeNull();
    expect(liquidationPrice(simple, 'LINK')).toBeNull();
  });
});

describe('distances', () => {
  it('are the uniform falls that liquidate', () => {
    expect(distancePercent(simple)).toBeCloseTo(100 / 3, 10);
    const mixed = {
      ...simple,
      collateral: [
        ...simple.collateral,
        { ...simple.collateral[0]!, asset: 'USDC', amount: 5_000, priceUsd: 1 },
      ],
    };
    const fall = volatileDistancePercent(mixed, isStable)!;
    const shocked = whatIf(mixed, [{ asset: 'WETH', priceChangePercent: -fall }]);
    expect(shocked.newHealthFactor).toBeCloseTo(1, 12);
  });

  it('are null without debt', () => {
    expect(distancePercent(withoutDebt)).toBeNull();
    expect(volatileDistancePercent(withoutDebt, isStable)).toBeNull();
  });
});

describe('liquidationCall', () => {
  it('null when nothing can be liquidated', () => {
    expect(liquidationCall(simple)).toBeNull();
    expect(liquidationCall(withoutDebt)).toBeNull();
  });

  it('never seizes more than the collateral, nor repays a run repays more than the debt', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        const call = liquidationCall(position);
        if (!call) return;
        const { totalCollateralUsd, totalDebtUsd } = positionTotals(position);
        expect(call.seizeUsd).toBeLessThanOrEqual(totalCollateralUsd * (1 + 1e-12));
        expect(call.repayUsd).toBeLessThanOrEqual(totalDebtUsd * (1 + 1e-12));
        expect(call.penaltyUsd).toBeGreaterThanOrEqual(-1e-9 * call.seizeUsd);
      }),
    );
  });
});

describe('deleverage', () => {
  const target = fc.double({ min: 1.01, max: 10, noNaN: true });

  it('reaches the target by repaying, by adding, and by selling at a cost', () => {
    fc.assert(
      fc.property(
        anyPosition,
        target,
        fc.double({ min: 0, max: 0.05, noNaN: true }),
        (position, goal, cost) => {
          const { weightedCollateralUsd: weighted, totalDebtUsd: debt } = positionTotals(position);
          if (weighted / debt >= goal) {
            expect(repayToTarget(position, goal)).toBe(0);
            return;
          }
          const { asset: name, liquidationThreshold } = position.collateral[0]!;
          // W = target × D in USD, because the health factor of a small remainder loses digits.
          const expectTarget = (w: number, d: number): void =>
            expect(Math.abs(w - goal * d)).toBeLessThan(1e-9 * (weighted + goal * debt));
          expectTarget(weighted, debt - repayToTarget(position, goal));
          expectTarget(weighted + addToTarget(position, name, goal)! * liquidationThreshold, debt);
          const { sellUsd, repayUsd, isFeasible } = sellToTarget(position, name, goal, cost);
          if (isFeasible) expectTarget(weighted - sellUsd! * liquidationThreshold, debt - repayUsd!);
        },
      ),
    );
  });

  it('reports when no sale reaches the target', () => {
    expect(sellToTarget(simple, 'WETH', 1.6, 0.5)).toMatchObject({ sellUsd: null, isFeasible: false });
  });

  it('rejects a target of 1 or less, above 10, and an asset that is not held', () => {
    for (const bad of [1, 0, -1, 10.1, Number.NaN])
      expect(() => repayToTarget(simple, bad)).toThrow(RangeError);
    expect(() => sellToTarget(simple, 'LINK', 2, 0)).toThrow(RangeError);
    expect(() => sellToTarget(simple, 'WETH', 2, 1)).toThrow(RangeError);
  });
});
