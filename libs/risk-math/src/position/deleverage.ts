import type { RiskPosition } from './position';
import { positionTotals } from './totals';

const MAX_TARGET = 10;

/** Selling collateral to repay debt; amounts in USD. */
export interface SellCollateral {
  asset: string;
  /** S, the sold amount. Null if no amount reaches the target. */
  sellUsd: number | null;
  /** S·(1 − cost), the repaid part. Null with `sellUsd`. */
  repayUsd: number | null;
  /** The target is within reach and the position holds as much of the asset. */
  isFeasible: boolean;
}

/** @throws RangeError unless 1 < target ≤ 10 */
export function assertTarget(targetHealthFactor: number): void {
  if (!(targetHealthFactor > 1 && targetHealthFactor <= MAX_TARGET)) {
    throw new RangeError(
      `targetHealthFactor ${targetHealthFactor} is out of range. Take a number above 1 and at most 10.`,
    );
  }
}

/** W and D, and T·D − W: the missing amount to the target. It is not positive when the target is reached. */
function gap(position: RiskPosition, target: number): { weighted: number; debt: number; missing: number } {
  assertTarget(target);
  const { weightedCollateralUsd: weighted, totalDebtUsd: debt } = positionTotals(position);
  return { weighted, debt, missing: target * debt - weighted };
}

/**
 * Debt (USD) to repay from outside to reach the target: R = D − W/T; 0 when the target is reached or without debt.
 * @throws RangeError unless 1 < target ≤ 10
 */
export function repayToTarget(position: RiskPosition, targetHealthFactor: number): number {
  const { weighted, debt, missing } = gap(position, targetHealthFactor);
  return missing <= 0 ? 0 : debt - weighted / targetHealthFactor;
}

/** Value and threshold (averaged by value) of one collateral. @throws RangeError when the position does not hold it */
function collateralOf(position: RiskPosition, asset: string): { valueUsd: number; threshold: number } {
  const totals = positionTotals({
    collateral: position.collateral.filter((leg) => leg.asset === asset),
    debt: [],
  });
  if (totals.weightedLiquidationThreshold === null) {
    throw new RangeError(`The position has no collateral ${asset}. Name one that it holds.`);
  }
  return { valueUsd: totals.totalCollateralUsd, threshold: totals.weightedLiquidationThreshold };
}

/**
 * Collateral (USD) of one asset to sell so that the proceeds after `cost` repay enough: S = (T·D − W) / (T(1
 * − c) − LT). The cost is a share of the sold value: swap fee + slippage + flash-loan premium. A sale that ignores the cost misses the target. The same for sell_collateral and flash_loan_unwind.
 * @throws RangeError unless 1 < target ≤ 10 and 0 ≤ cost < 1, and when the position does not hold the asset
 */
export function sellToTarget(
  position: RiskPosition,
  asset: string,
  targetHealthFactor: number,
  cost: number,
): SellCollateral {
  if (!(cost >= 0 && cost < 1))
    throw new RangeError(`cost ${cost} is out of range. Take a share from 0 to below 1.`);
  const { valueUsd, threshold } = collateralOf(position, asset);
  const { missing } = gap(position, targetHealthFactor);
  if (missing <= 0) return { asset, sellUsd: 0, repayUsd: 0, isFeasible: true };
  const gain = targetHealthFactor * (1 - cost) - threshold;
  if (gain <= 0) return { asset, sellUsd: null, repayUsd: null, isFeasible: false };
  const sellUsd = missing / gain;
  return { asset, sellUsd, repayUsd: sellUsd * (1 - cost), isFeasible: sellUsd <= valueUsd };
}

/**
 * Collateral (USD) of one asset to add: A = (T·D − W) / LT; 0 when the target is reached, null when the asset's threshold
 * is 0. @throws RangeError unless 1 < target ≤ 10, and when the position does not hold the asset
 */
export function addToTarget(
  position: RiskPosition,
  asset: string,
  targetHealthFactor: number,
): number | null {
  const { threshold } = collateralOf(position, asset);
  const { missing } = gap(position, targetHealthFactor);
  if (missing <= 0) return 0;
  return threshold === 0 ? null : missing / threshold;
}
