import type { ForecastAnswer, PositionAsset, PositionDetail } from '@plimsoll/contracts';
import { carryDays } from '@plimsoll/risk-math';

type Carry = Pick<ForecastAnswer, 'carryDays' | 'carryDaysReason'>;

/** Days until interest alone liquidates a position. The weight of a supply's rate is its threshold value. */
export function carryOf({ healthFactor, collateralAssets, debtAssets }: PositionDetail): Carry {
  const none = (carryDaysReason: NonNullable<Carry['carryDaysReason']>): Carry => ({
    carryDays: null,
    carryDaysReason,
  });
  if (healthFactor === null) return none('no_debt');
  if (healthFactor <= 1) return none('liquidatable');
  const borrowRate = weightedRate(debtAssets, ({ usdValue, borrowRate: rate }) => [usdValue, rate]);
  const supplyRate = weightedRate(collateralAssets, (leg) => [
    leg.usedAsCollateral ? leg.usdValue * (leg.liquidationThresholdBps ?? 0) : 0,
    leg.supplyRate,
  ]);
  if (borrowRate === null || supplyRate === null) return none('rate_unknown');
  const days = carryDays(healthFactor, borrowRate, supplyRate);
  return days === null ? none('carry_not_negative') : { carryDays: days, carryDaysReason: null };
}

/** Mean of the weighted rates. Null when one of them is unknown. */
function weightedRate(
  legs: readonly PositionAsset[],
  of: (leg: PositionAsset) => [weight: number, rate: number | undefined],
): number | null {
  let [sum, weights] = [0, 0];
  for (const [weight, rate] of legs.map(of)) {
    if (weight === 0) continue;
    if (rate === undefined) return null;
    sum += weight * rate;
    weights += weight;
  }
  return weights === 0 ? null : sum / weights;
}
