import type { PositionDetail } from '@plimsoll/contracts';
import { type RiskPosition, whatIf } from '@plimsoll/risk-math';
import { type PriceFactors, exactHealthFactor } from './exact-health';

const WAD = 1e18;

/** A position after price changes; amounts in USD. */
export interface ShockedPosition {
  /** null without debt. */
  healthFactor: number | null;
  estimatedLoss: number;
  collateralUsd: number;
  debtUsd: number;
}

/** Price changes in percent, as risk-math takes them. */
export function shocksOf(factors: PriceFactors): { asset: string; priceChangePercent: number }[] {
  return [...factors].map(([asset, factor]) => ({ asset, priceChangePercent: (factor - 1) * 100 }));
}

/** The position at shocked prices: the health factor as the contract would have it where its arithmetic is known. */
export function shockedPosition(
  detail: PositionDetail,
  risk: RiskPosition,
  factors: PriceFactors,
): ShockedPosition {
  const exact = exactHealthFactor(detail, factors);
  const { newHealthFactor, estimatedLossUsd, collateralUsd, debtUsd } = whatIf(risk, shocksOf(factors));
  return {
    healthFactor: exact === null ? newHealthFactor : Number(exact) / WAD,
    estimatedLoss: estimatedLossUsd,
    collateralUsd,
    debtUsd,
  };
}
