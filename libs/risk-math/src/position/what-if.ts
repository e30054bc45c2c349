import type { RiskPosition } from './position';
import { positionTotals } from './totals';

/** A change of one asset's price. −100 is a fall to zero, and larger falls count as −100. */
export interface PriceShock {
  asset: string;
  priceChangePercent: number;
}

/** A position before and after a shock. Amounts are in USD. */
export interface WhatIfResult {
  /** null without debt. */
  newHealthFactor: number | null;
  isLiquidatable: boolean;
  netWorthBeforeUsd: number;
  netWorthAfterUsd: number;
  /** max(0, net worth before − after). */
  estimatedLossUsd: number;
  collateralUsd: number;
  debtUsd: number;
}

/** An asset that a position does not hold. @see assertHeld */
export class UnknownAssetError extends RangeError {
  constructor(readonly asset: string) {
    super(`The position holds no ${asset}. Name an asset of its collateral or debt.`);
  }
}

/** @throws UnknownAssetError for the first shock whose asset the position does not hold */
export function assertHeld(position: RiskPosition, shocks: readonly PriceShock[]): void {
  const held = new Set([...position.collateral, ...position.debt].map(({ asset }) => asset));
  for (const { asset } of shocks) if (!held.has(asset)) throw new UnknownAssetError(asset);
}

/**
 * The position at the shocked prices, P' = P·(1 + percent/100) on both sides. Several shocks of one asset
 * multiply. Only the named assets move. A caller that wants staking tokens to follow their underlying names
 * them too.
 */
export function shockPosition(position: RiskPosition, shocks: readonly PriceShock[]): RiskPosition {
  const factors = new Map<string, number>();
  for (const { asset, priceChangePercent } of shocks) {
    factors.set(asset, (factors.get(asset) ?? 1) * Math.max(0, 1 + priceChangePercent / 100));
  }
  const moved = <Leg extends { asset: string; priceUsd: number }>(leg: Leg): Leg => ({
    ...leg,
    priceUsd: leg.priceUsd * (factors.get(leg.asset) ?? 1),
  });
  return { collateral: position.collateral.map(moved), debt: position.debt.map(moved) };
}

/**
 * Health factor, value and loss of a position under all the given shocks at once. Error: as `positionTotals`.
 */
export function whatIf(position: RiskPosition, shocks: readonly PriceShock[]): WhatIfResult {
  const before = positionTotals(position);
  const after = positionTotals(shockPosition(position, shocks));
  return {
    newHealthFactor: after.healthFactor,
    isLiquidatable: after.isLiquidatable,
    netWorthBeforeUsd: before.netWorthUsd,
    netWorthAfterUsd: after.netWorthUsd,
    estimatedLossUsd: Math.max(0, before.netWorthUsd - after.netWorthUsd),
    collateralUsd: after.totalCollateralUsd,
    debtUsd: after.totalDebtUsd,
  };
}
