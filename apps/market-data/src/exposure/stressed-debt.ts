import { type PositionV1, isStableAsset } from '@plimsoll/contracts';

/** Fall of every price except those of stable coins in the risk index. See docs/model.md. */
export const SHOCK = 0.2;

type Leg = PositionV1['legs'][number];

/**
 * Returns whether the position could be liquidated after a fall of 20 % of all prices except those of stable
 * coins.
 */
export function isLiquidatableAtShock({ healthFactor, legs }: PositionV1): boolean {
  if (healthFactor === null) return false;
  const secured = ratioAfter(
    legs.filter(({ usedAsCollateral }) => usedAsCollateral),
    thresholdValue,
  );
  const owed = ratioAfter(
    legs.filter(({ side }) => side === 'debt'),
    ({ usdValue }) => usdValue,
  );
  // The contract's own health factor, scaled by the effect of the shock on both sides.
  return owed > 0 && (healthFactor * secured) / owed < 1;
}

/** Returns the debts by asset, in the order of the legs. */
export function debtsOf({ legs }: PositionV1): { assets: string[]; usds: number[] } {
  const debts = legs.filter(({ side }) => side === 'debt');
  return { assets: debts.map(({ asset }) => asset), usds: debts.map(({ usdValue }) => usdValue) };
}

function thresholdValue({ usdValue, liquidationThresholdBps }: Leg): number {
  return usdValue * liquidationThresholdBps;
}

/** Returns the value after the shock divided by the value before, or 1 without a value. */
function ratioAfter(legs: readonly Leg[], valueOf: (leg: Leg) => number): number {
  const before = legs.reduce((sum, leg) => sum + valueOf(leg), 0);
  const after = legs.reduce((sum, leg) => sum + valueOf(leg) * (isStableAsset(leg.asset) ? 1 : 1 - SHOCK), 0);
  return before > 0 ? after / before : 1;
}
