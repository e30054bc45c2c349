import type { RiskPosition } from './position';

/** The value and safety of a position; amounts in USD. */
export interface PositionTotals {
  totalCollateralUsd: number;
  totalDebtUsd: number;
  /** W = Σ value × liquidation threshold. */
  weightedCollateralUsd: number;
  /** W / D. Null without debt, 0 without collateral. */
  healthFactor: number | null;
  /** W / C; null without collateral. */
  weightedLiquidationThreshold: number | null;
  /** D / C; null without collateral. */
  ltv: number | null;
  netWorthUsd: number;
  /** HF < 1, strictly: at exactly 1 Aave rejects a liquidation. */
  isLiquidatable: boolean;
}

/**
 * Totals and health factor, HF = Σ amount·price·threshold / Σ amount·price.
 * Error: a few ulp a leg (relative 1e-15); the exact integer figure of a protocol is in `libs/protocols`.
 * Source: Aave v3 GenericLogic.calculateUserAccountData, without its truncation.
 */
export function positionTotals(position: RiskPosition): PositionTotals {
  let totalCollateralUsd = 0;
  let weightedCollateralUsd = 0;
  for (const { amount, priceUsd, liquidationThreshold } of position.collateral) {
    totalCollateralUsd += amount * priceUsd;
    weightedCollateralUsd += amount * priceUsd * liquidationThreshold;
  }
  const totalDebtUsd = position.debt.reduce((sum, { amount, priceUsd }) => sum + amount * priceUsd, 0);
  const healthFactor = totalDebtUsd === 0 ? null : weightedCollateralUsd / totalDebtUsd;
  return {
    totalCollateralUsd,
    totalDebtUsd,
    weightedCollateralUsd,
    healthFactor,
    weightedLiquidationThreshold:
      totalCollateralUsd === 0 ? null : weightedCollateralUsd / totalCollateralUsd,
    ltv: totalCollateralUsd === 0 ? null : totalDebtUsd / totalCollateralUsd,
    netWorthUsd: totalCollateralUsd - totalDebtUsd,
    isLiquidatable: healthFactor !== null && healthFactor < 1,
  };
}

/** Only the health factor. Null without debt. */
export function healthFactor(position: RiskPosition): number | null {
  return positionTotals(position).healthFactor;
}
