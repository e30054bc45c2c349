import { isStableAsset } from '@plimsoll/contracts';
import { type RiskPosition, healthFactor } from '@plimsoll/risk-math';
import { changedPosition } from '@plimsoll/risk-position';
import fc from 'fast-check';
import { aimed, isReached } from './aim-reached';
import type { Plan } from './plan';
import { plansFor } from './plans-for';
import { planAdd, planAlert, planClose, planRepay, planSpread, planSwap } from './plans';
import { severityOf } from './severity';

const leg = (asset: string, usd: number, threshold: number) => ({
  asset,
  amount: usd / 100,
  priceUsd: 100,
  liquidationThreshold: threshold,
  liquidationBonus: 0,
});
const owed = (asset: string, usd: number) => ({ asset, amount: usd / 2, priceUsd: 2 });

const usd = fc.double({ min: 1, max: 1e7, noNaN: true });
const threshold = fc.double({ min: 0.3, max: 0.95, noNaN: true });
const anyPosition: fc.Arbitrary<RiskPosition> = fc
  .tuple(usd, threshold, usd, threshold, usd, usd)
  .map(([eth, ethThreshold, usdc, usdcThreshold, dai, link]) => ({
    collateral: [leg('ETH', eth, ethThreshold), leg('USDC', usdc, usdcThreshold)],
    debt: [owed('DAI', dai), owed('LINK', link)],
  }));

describe('plans', () => {
  it('each reaches its target within a millionth when its amounts are moved', () => {
    const seen = new Map<string, number>();
    fc.assert(
      fc.property(anyPosition, fc.double({ min: 1.05, max: 5, noNaN: true }), (position, target) => {
        const plans = [
          planRepay(position, target),
          planAdd(position, target),
          planSwap(position, isStableAsset),
          planSpread(position),
          planClose(position),
        ].filter((plan): plan is Plan => plan !== null);
        for (const plan of plans) {
          seen.set(plan.type, (seen.get(plan.type) ?? 0) + 1);
          const after = changedPosition(position, plan.changes);
          const is = aimed(plan.aim, after, isStableAsset);
          expect(Math.abs(Number(is) - plan.aim.value)).toBeLessThanOrEqual(
            1e-6 * Math.max(1, Math.abs(plan.aim.value)),
          );
          expect(isReached(plan.aim, after, isStableAsset)).toBe(true);
        }
      }),
      { numRuns: 2_000, seed: 12 },
    );
    expect([...seen.keys()].sort()).toEqual([
      'add_collateral',
      'close_position',
      'diversify_debt',
      'reduce_volatility',
      'repay_debt',
    ]);
  });

  it('an alert triggers at the edge below, after the fall that it names', () => {
    fc.assert(
      fc.property(anyPosition, (position) => {
        const plan = planAlert(position, [1.5, 1.25, 1.1, 1]);
        const now = healthFactor(position)!;
        if (plan === null) return expect(now).toBeLessThanOrEqual(1);
        const kept = plan.aim.value / now;
        const fallen = {
          ...position,
          collateral: position.collateral.map((each) => ({ ...each, priceUsd: each.priceUsd * kept })),
        };
        expect(Math.abs(healthFactor(fallen)! - plan.aim.value)).toBeLessThanOrEqual(1e-6);
      }),
      { seed: 12 },
    );
  });

  it('a repayment, by hand: 100 at 0.8 against 64 is 1.25; 10.67 less debt makes it 1.5', () => {
    const position = { collateral: [leg('ETH', 100, 0.8)], debt: [owed('USDC', 64)] };
    const plan = planRepay(position, 1.5);
    expect(plan).toMatchObject({
      type: 'repay_debt',
      aim: { kind: 'health_factor', value: 1.5 },
      changes: [{ asset: 'USDC', side: 'debt' }],
    });
    expect(plan?.usd).toBeCloseTo(64 - 80 / 1.5, 12);
  });

  it('the safest e-mode comes before suggestions with a cost, and only while the position is not safe', () => {
    const eMode = (id: number, healthFactor: number) => ({
      id,
      label: 'Stablecoins',
      healthFactor,
      healthFactorRaw: String(BigInt(Math.round(healthFactor * 1e6)) * 10n ** 12n),
      collateral: [],
    });
    const position = { collateral: [leg('USDC', 100, 0.78)], debt: [owed('DAI', 65)] };
    const [first] = plansFor(position, [eMode(1, 1.3), eMode(2, 1.46)]);
    expect(first).toMatchObject({
      type: 'move_to_emode',
      aim: { kind: 'health_factor', value: 1.46 },
      eMode: { id: 2 },
      changes: [],
      usd: null,
    });
    expect(plansFor(position, [eMode(1, 1.2)])[0]?.type).toBe('repay_debt');
    const safe = { collateral: [leg('USDC', 200, 0.78)], debt: [owed('DAI', 65)] };
    expect(plansFor(safe, [eMode(2, 2.9)]).map(({ type }) => type)).toEqual(['set_alert']);
  });

  it('suggests nothing without debt, and no repayment above the target', () => {
    expect(plansFor({ collateral: [leg('ETH', 100, 0.8)], debt: [] })).toEqual([]);
    const safe = { collateral: [leg('ETH', 1_000, 0.8)], debt: [owed('USDC', 64)] };
    expect(plansFor(safe).map(({ type }) => type)).toEqual(['set_alert']);
  });

  it('suggests no addition to a supply that is not collateral', () => {
    const position = {
      collateral: [leg('ETH', 100, 0.8), leg('LINK', 500, 0)],
      debt: [owed('USDC', 64)],
    };
    expect(planAdd(position, 1.5)?.changes).toEqual([expect.objectContaining({ asset: 'ETH' })]);
  });

  it('is critical near a liquidation, and information if nothing is at risk', () => {
    const [plan] = plansFor({ collateral: [leg('ETH', 100, 0.8)], debt: [owed('USDC', 75)] });
    expect(severityOf(1.05, plan!)).toBe('critical');
    expect(severityOf(1.2, plan!)).toBe('warning');
    expect(severityOf(1.7, plan!)).toBe('info');
  });
});
