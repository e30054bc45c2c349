import {
  type LegAmount,
  type PlanLeg,
  type PlanPosition,
  amountOfValue,
  divideUp,
  lesser,
  valueOf,
} from './position';

/** Debt to repay, and the part that the wallet's balance does not cover. */
export interface RepayPlan<Leg extends PlanLeg> {
  repays: LegAmount<Leg>[];
  /** In units of the position's totals; 0 when the plan reaches the target. */
  missing: bigint;
}

/**
 * Debt to repay from outside, in units of the position's totals: R = D − W/T, rounded up. 0 when the target
 * is reached.
 * @param targetRaw wad
 */
export function repayValue({ healthFactorRaw, totalDebtRaw }: PlanPosition, targetRaw: bigint): bigint {
  if (healthFactorRaw === null || healthFactorRaw >= targetRaw) return 0n;
  return divideUp(totalDebtRaw * (targetRaw - healthFactorRaw), targetRaw);
}

/**
 * The debts to repay, with amounts that never end below the target: the largest debt first, each limited to
 * the debt and to the wallet's balance.
 * @param targetRaw wad
 * @param heldOf the wallet's balance of a debt's token, in its smallest unit
 */
export function repayToTarget<Leg extends PlanLeg>(
  position: PlanPosition<Leg>,
  targetRaw: bigint,
  heldOf: (leg: Leg) => bigint,
): RepayPlan<Leg> {
  const { priceDecimals } = position;
  const valueOfLeg = (leg: Leg): bigint => valueOf(leg, leg.amountRaw, priceDecimals);
  const debts = position.legs
    .filter((leg) => leg.side === 'debt' && leg.priceRaw > 0n)
    .toSorted((a, b) => (valueOfLeg(b) > valueOfLeg(a) ? 1 : -1));
  let missing = repayValue(position, targetRaw);
  const repays: LegAmount<Leg>[] = [];
  for (const leg of debts) {
    if (missing === 0n) break;
    const amountRaw = lesser(lesser(amountOfValue(leg, missing, priceDecimals), leg.amountRaw), heldOf(leg));
    if (amountRaw === 0n) continue;
    repays.push({ leg, amountRaw });
    const paid = valueOf(leg, amountRaw, priceDecimals);
    missing = paid >= missing ? 0n : missing - paid;
  }
  return { repays, missing };
}
