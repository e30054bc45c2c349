import type { RiskPosition } from './position';
import { positionTotals } from './totals';

/** Below this health factor a call may repay all of a reserve's debt (CLOSE_FACTOR_HF_THRESHOLD). */
export const FULL_CLOSE_HEALTH_FACTOR = 0.95;
/** A reserve below this value on either side is closed whole (MIN_BASE_MAX_CLOSE_FACTOR_THRESHOLD). */
export const FULL_CLOSE_RESERVE_USD = 2_000;
/** Share of all debt that a call may repay in other cases. */
export const DEFAULT_CLOSE_FACTOR = 0.5;

/** One liquidation call; amounts in USD. */
export interface LiquidationCall {
  collateralAsset: string;
  debtAsset: string;
  /** 1 or 0.5: the share that the rules allow, before the collateral caps it. */
  closeFactor: number;
  repayUsd: number;
  seizeUsd: number;
  /** seize − repay: the cost of the call for the owner. */
  penaltyUsd: number;
  /** The call takes the last collateral and leaves debt behind. */
  leavesBadDebt: boolean;
}

interface Reserve {
  asset: string;
  valueUsd: number;
  bonus: number;
}

/** Sums legs of the same asset; the largest reserve first, ties in the order of the legs. */
function reserves(
  legs: readonly { asset: string; amount: number; priceUsd: number; liquidationBonus?: number }[],
): Reserve[] {
  const byAsset = new Map<string, Reserve>();
  for (const { asset, amount, priceUsd, liquidationBonus = 0 } of legs) {
    const known = byAsset.get(asset) ?? { asset, valueUsd: 0, bonus: liquidationBonus };
    known.valueUsd += amount * priceUsd;
    byAsset.set(asset, known);
  }
  return [...byAsset.values()].sort((a, b) => b.valueUsd - a.valueUsd);
}

/**
 * The call of one liquidator now: it repays the largest debt against the largest collateral. The call may
 * repay all of that debt when HF ≤ 0.95 or when either reserve is below $2,000, else min(reserve debt, 50 %
 * of all debt). It seizes repay·(1 + bonus), capped at the collateral, and then repays only the debt that
 * this covers. null when HF ≥ 1, without debt, or without collateral to seize. Error: as `positionTotals`.
 * Source: LiquidationLogic of Aave v3.3 and later; earlier revisions have no $2,000 rule.
 */
export function liquidationCall(position: RiskPosition): LiquidationCall | null {
  const { healthFactor, isLiquidatable, totalDebtUsd } = positionTotals(position);
  const collaterals = reserves(position.collateral);
  const [collateral] = collaterals;
  const [debt] = reserves(position.debt);
  if (!isLiquidatable || healthFactor === null || !collateral || !debt || collateral.valueUsd === 0)
    return null;
  const isFull =
    healthFactor <= FULL_CLOSE_HEALTH_FACTOR ||
    debt.valueUsd < FULL_CLOSE_RESERVE_USD ||
    collateral.valueUsd < FULL_CLOSE_RESERVE_USD;
  const allowedUsd = isFull ? debt.valueUsd : Math.min(debt.valueUsd, totalDebtUsd * DEFAULT_CLOSE_FACTOR);
  const isCapped = allowedUsd * (1 + collateral.bonus) > collateral.valueUsd;
  const repayUsd = isCapped ? collateral.valueUsd / (1 + collateral.bonus) : allowedUsd;
  const seizeUsd = isCapped ? collateral.valueUsd : allowedUsd * (1 + collateral.bonus);
  const isLast = collaterals.every((each) => each === collateral || each.valueUsd === 0);
  return {
    collateralAsset: collateral.asset,
    debtAsset: debt.asset,
    closeFactor: isFull ? 1 : DEFAULT_CLOSE_FACTOR,
    repayUsd,
    seizeUsd,
    penaltyUsd: seizeUsd - repayUsd,
    leavesBadDebt: isCapped && isLast && repayUsd < totalDebtUsd,
  };
}
