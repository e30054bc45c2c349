import { type PositionV1, isStableAsset } from '@plimsoll/contracts';

/** The fall of every price but those of stable coins that the index asks about (risk-model.md, Scores). */
export const SHOCK = 0.2;

type Leg = PositionV1['legs'][number];

/** Whether the position could be liquidated after all prices but those of stable coins have fallen by 20 %. */
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
  // The contract's own health factor, moved by what the shock does to either side.
  return owed > 0 && (healthFactor * secured) / owed < 1;
}

/** The debts by asset, in the order of the legs. */
export function debtsOf({ legs }: PositionV1): { assets: string[]; usds: number[] } {
  const debts = legs.filter(({ side }) => side === 'debt');
  return { assets: debts.map(({ asset }) => asset), usds: debts.map(({ usdValue }) => usdValue) };
}

function thresholdValue({ usdValue, liquidationThresholdBps }: Leg): number {
  return usdValue * liquidationThresholdBps;
}

/** Value after the shock over the value before; 1 where there is none. */
function ratioAfter(legs: readonly Leg[], valueOf: (leg: Leg) => number): number {
  const before = legs.reduce((sum, leg) => sum + valueOf(leg), 0);
  const after = legs.reduce((sum, leg) => sum + valueOf(leg) * (isStableAsset(leg.asset) ? 1 : 1 - SHOCK), 0);
  return before > 0 ? after / before : 1;
}
