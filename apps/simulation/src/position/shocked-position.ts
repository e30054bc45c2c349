import type { LossSplit, PositionDetail } from '@plimsoll/contracts';
import {
  type RiskPosition,
  scaledToHealthFactor,
  scenarioLoss,
  shockPosition,
  whatIf,
} from '@plimsoll/risk-math';
import { depthOfSymbol } from '@plimsoll/risk-position';
import { type PriceFactors, exactHealthFactor } from './exact-health';

const WAD = 1e18;

/** A position after price changes; amounts in USD. */
export interface ShockedPosition {
  /** null without debt. */
  healthFactor: number | null;
  estimatedLoss: number;
  lossSplit: LossSplit;
  collateralUsd: number;
  debtUsd: number;
}

/** Price changes in percent, the format of risk-math. */
export function shocksOf(factors: PriceFactors): { asset: string; priceChangePercent: number }[] {
  return [...factors].map(([asset, factor]) => ({ asset, priceChangePercent: (factor - 1) * 100 }));
}

/**
 * The position at shocked prices: the contract's health factor if its arithmetic is known, and the loss with
 * the liquidations that follow from it.
 * @param risk with the liquidator's bonus for each collateral
 */
export function shockedPosition(
  detail: PositionDetail,
  risk: RiskPosition,
  factors: PriceFactors,
): ShockedPosition {
  const exact = exactHealthFactor(detail, factors);
  const shocks = shocksOf(factors);
  const { newHealthFactor, collateralUsd, debtUsd } = whatIf(risk, shocks);
  const healthFactor = exact === null ? newHealthFactor : Number(exact) / WAD;
  // Scaled, so that the loss includes a liquidation exactly when the shown health factor has one.
  const after = scaledToHealthFactor(shockPosition(risk, shocks), healthFactor);
  const { lossUsd, marketLossUsd, penaltyUsd, slippageUsd, badDebtUsd } = scenarioLoss(
    risk,
    after,
    depthOfSymbol,
  );
  return {
    healthFactor,
    estimatedLoss: lossUsd,
    lossSplit: { marketLossUsd, penaltyUsd, slippageUsd, badDebtUsd },
    collateralUsd,
    debtUsd,
  };
}
