import fc from 'fast-check';
import {
  agrees,
  lossBps,
  WAD,
  toWad,
  valueOf,
  withHeadroom,
  type PlanLeg,
  type PlanPosition,
} from './position';
import { repayToTarget } from './repay';
import { saleInRounds, saleToTarget } from './sale';

const PRICE_DECIMALS = 8;

const leg = (
  side: PlanLeg['side'],
  amountRaw: bigint,
  priceRaw: bigint,
  decimals: number,
  liquidationThresholdBps: bigint,
): PlanLeg => ({
  side,
  amountRaw,
  decimals,
  priceRaw,
  priceDecimals: PRICE_DECIMALS,
  liquidationThresholdBps,
  usedAsCollateral: side === 'collateral',
});

/** Computes a health factor as the simplest protocol does: one weighted sum divided by the other. */
function counted(legs: readonly PlanLeg[]): PlanPosition {
  let weighted = 0n;
  let totalDebtRaw = 0n;
  for (const each of legs) {
    const value = valueOf(each, each.amountRaw, PRICE_DECIMALS);
    if (each.side === 'debt') totalDebtRaw += value;
    else weighted += value * each.liquidationThresholdBps;
  }
  const healthFactorRaw = totalDebtRaw === 0n ? null : (weighted * WAD) / (totalDebtRaw * 10_000n);
  return { legs, totalDebtRaw, priceDecimals: PRICE_DECIMALS, healthFactorRaw };
}

const less = (of: PlanLeg, amountRaw: bigint): PlanLeg => ({ ...of, amountRaw: of.amountRaw - amountRaw });
const ratio = (value: bigint | null): number => Number(value ?? 0n) / 1e18;

/** Positions of 100 dollars to 100 million, with health factors of 1 to 1.6 and one or two debts. */
const positions = fc
  .record({
    usd: fc.bigInt({ min: 100n, max: 100_000_000n }),
    healthFactor: fc.double({ min: 1.001, max: 1.6, noNaN: true }),
    threshold: fc.bigInt({ min: 5_000n, max: 9_500n }),
    collateralPrice: fc.bigInt({ min: 10_000_000n, max: 10n ** 13n }),
    debtPrice: fc.bigInt({ min: 10_000_000n, max: 10n ** 13n }),
    decimals: fc.constantFrom(6, 8, 18),
    split: fc.bigInt({ min: 50n, max: 100n }),
  })
  .map(({ usd, healthFactor, threshold, collateralPrice, debtPrice, decimals, split }) => {
    const base = usd * 10n ** 8n;
    const debtBase = (base * threshold * WAD) / (10_000n * toWad(healthFactor));
    const amount = (value: bigint, price: bigint, at: number): bigint => (value * 10n ** BigInt(at)) / price;
    const first = (debtBase * split) / 100n;
    return counted([
      leg('collateral', amount(base, collateralPrice, 18), collateralPrice, 18, threshold),
      leg('debt', amount(first, debtPrice, decimals), debtPrice, decimals, 0n),
      leg('debt', amount(debtBase - first, 10n ** 8n, 18), 10n ** 8n, 18, 0n),
    ]);
  })
  .filter(({ legs, healthFactorRaw }) => legs[1]!.amountRaw > 10_000n && (healthFactorRaw ?? 0n) > WAD);
const targets = fc.double({ min: 1.61, max: 3, noNaN: true });
const PLENTY = (): bigint => 10n ** 40n;

describe('repayToTarget', () => {
  it('reaches the target within 0.1 %, and is never below it', () => {
    fc.assert(
      fc.property(positions, targets, (position, target) => {
        const { repays, missing } = repayToTarget(position, toWad(target), PLENTY);
        expect(missing).toBe(0n);
        const after = counted(
          position.legs.map((each) => {
            const repaid = repays.find((repay) => repay.leg === each);
            return repaid ? less(each, repaid.amountRaw) : each;
          }),
        );
        expect(after.legs.every(({ amountRaw }) => amountRaw >= 0n)).toBe(true);
        expect(after.healthFactorRaw === null || after.healthFactorRaw >= toWad(target)).toBe(true);
        expect(ratio(after.healthFactorRaw) / target).toBeLessThan(1 + 1e-3);
      }),
      { numRuns: 500 },
    );
  });

  it('reports the missing amount when the wallet holds too little, and repays its balance', () => {
    fc.assert(
      fc.property(positions, targets, fc.bigInt({ min: 1n, max: 99n }), (position, target, percent) => {
        const full = repayToTarget(position, toWad(target), PLENTY);
        const held = (of: PlanLeg): bigint =>
          ((full.repays.find((repay) => repay.leg === of)?.amountRaw ?? 0n) * percent) / 100n;
        const part = repayToTarget(position, toWad(target), held);
        expect(part.missing).toBeGreaterThan(0n);
        for (const { leg: of, amountRaw } of part.repays) expect(amountRaw).toBeLessThanOrEqual(held(of));
      }),
    );
  });

  it('0 when the target is reached, or without debt', () => {
    const [supply, debt] = [
      leg('collateral', WAD, 10n ** 11n, 18, 8_000n),
      leg('debt', 10n ** 8n, 10n ** 8n, 6, 0n),
    ];
    expect(repayToTarget(counted([supply, debt]), toWad(2), PLENTY)).toEqual({ repays: [], missing: 0n });
    expect(repayToTarget(counted([supply]), toWad(2), PLENTY)).toEqual({ repays: [], missing: 0n });
  });
});

describe('saleToTarget', () => {
  const costs = { slippageBps: 50n, flashPremiumBps: 5n };

  it('reaches the target with all costs in the sum, and sells no more than it withdraws', () => {
    let feasible = 0;
    fc.assert(
      fc.property(positions, targets, (position, target) => {
        const [collateral, debt] = [position.legs[0]!, position.legs[1]!];
        const sale = saleToTarget(position, toWad(target), { collateral, debt }, costs);
        if (sale === null) return;
        feasible += 1;
        const after = counted([less(collateral, sale.sellRaw), less(debt, sale.repayRaw), position.legs[2]!]);
        expect(after.healthFactorRaw === null || after.healthFactorRaw >= toWad(target)).toBe(true);
        expect(ratio(after.healthFactorRaw) / target).toBeLessThan(1 + 1e-3);
        const sold = valueOf(collateral, sale.sellRaw, PRICE_DECIMALS);
        const paid = valueOf(debt, sale.repayRaw, PRICE_DECIMALS);
        // The sale has the value of the repayment, its premium and its slippage.
        const oneUnit = Number(valueOf(debt, 1n, PRICE_DECIMALS));
        expect(Number(sold) * 0.995).toBeGreaterThan(Number(paid) * 1.0005 * (1 - 1e-6) - 2 * oneUnit - 2);
      }),
      { numRuns: 500 },
    );
    expect(feasible).toBeGreaterThan(50);
  });

  it('null if the costs exceed the remainder of the threshold', () => {
    const position = counted([
      leg('collateral', WAD, 10n ** 11n, 18, 9_500n),
      leg('debt', 940n * 10n ** 6n, 10n ** 8n, 6, 0n),
    ]);
    const [collateral, debt] = [position.legs[0]!, position.legs[1]!];
    const dear = { slippageBps: 1_000n, flashPremiumBps: 0n };
    expect(saleToTarget(position, toWad(1.05), { collateral, debt }, dear)).toBeNull();
    expect(saleToTarget(position, toWad(1.05), { collateral, debt }, costs)).not.toBeNull();
  });
});

describe('saleInRounds', () => {
  it('each part leaves the health factor above the guard, and the parts add up to the sale', () => {
    const guardRaw = toWad(1.01);
    let several = 0;
    fc.assert(
      fc.property(positions, targets, (position, target) => {
        const [collateral, debt] = [position.legs[0]!, position.legs[1]!];
        const sale = saleToTarget(
          position,
          toWad(target),
          { collateral, debt },
          {
            slippageBps: 50n,
            flashPremiumBps: 0n,
          },
        );
        const rounds = sale && saleInRounds(position, sale, { guardRaw, maxRounds: 30 });
        if (!rounds) return;
        if (rounds.length > 1) several += 1;
        let [held, owed] = [collateral, debt];
        for (const round of rounds) {
          held = less(held, round.sellRaw);
          const between = counted([held, owed, position.legs[2]!]);
          expect(ratio(between.healthFactorRaw)).toBeGreaterThan(1.0099);
          owed = less(owed, round.repayRaw);
        }
        expect(collateral.amountRaw - held.amountRaw).toBe(sale.sellRaw);
        expect(debt.amountRaw - owed.amountRaw).toBe(sale.repayRaw);
      }),
      { numRuns: 300 },
    );
    expect(several).toBeGreaterThan(10);
  });
});

describe('agrees', () => {
  it('within the tolerance, on both sides', () => {
    expect(agrees(10_200n, 10_000n, 200n)).toBe(true);
    expect(agrees(9_800n, 10_000n, 200n)).toBe(true);
    expect(agrees(10_201n, 10_000n, 200n)).toBe(false);
    expect(agrees(9_799n, 10_000n, 200n)).toBe(false);
    expect(agrees(0n, 0n, 200n)).toBe(true);
    expect(agrees(1n, 0n, 200n)).toBe(false);
  });
});

describe('lossBps', () => {
  it('rounds against the swap', () => {
    expect(lossBps(10_000n, 9_950n)).toBe(50n);
    expect(lossBps(10_001n, 9_950n)).toBe(51n);
    expect(lossBps(10_000n, 10_001n)).toBe(0n);
  });
});

describe('withHeadroom', () => {
  it('is a hundred-thousandth above the target, which covers interest until the transactions are sent', () => {
    expect(withHeadroom(toWad(1.5))).toBe(1_500_015_000_000_000_000n);
    expect(withHeadroom(1n)).toBeGreaterThan(1n);
  });
});

describe('toWad', () => {
  it('uses the decimal digits', () => {
    expect(toWad(1.5)).toBe(1_500_000_000_000_000_000n);
    expect(Number(toWad(1.1)) / 1e18).toBe(1.1);
  });
});
