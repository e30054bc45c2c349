import {
  type Band,
  type PositionAsset,
  type PositionLegV1,
  type PositionV1,
  bandOfFigures,
  priceSymbol,
} from '@plimsoll/contracts';
import { type RiskPosition, seedOf } from '@plimsoll/risk-math';
import { riskPosition } from '@plimsoll/risk-position';
import type { SimulatedPosition } from '../simulate/simulation-task';

/** Ranks are below this. */
export const RANKS = 2 ** 32;

/**
 * The rank of a position in the sample of the track record: the lowest ranks are tracked. It is the same on
 * every instance.
 */
export function rankOf(positionId: string): number {
  return seedOf(positionId);
}

/** False without debt, when closed, or if no oracle prices the market in dollars. */
export function hasDebt({ closed, healthFactor, totalDebtUsd }: PositionV1): boolean {
  return !closed && healthFactor !== null && totalDebtUsd > 0;
}

/** The band of the health factor alone, which also groups positions of correlated assets. */
export function healthFactorBand(healthFactor: number): Band {
  return bandOfFigures(healthFactor, null);
}

/** A position of the log in the format of a simulation. */
export function heldPosition({ legs, healthFactor, healthFactorRaw }: PositionV1): SimulatedPosition {
  const of = (side: PositionLegV1['side']) => legs.filter((leg) => leg.side === side);
  return {
    healthFactor,
    healthFactorRaw,
    collateralAssets: of('collateral').map(({ liquidationThresholdBps, usedAsCollateral, ...leg }) => ({
      ...assetOf(leg),
      liquidationThresholdBps,
      usedAsCollateral,
    })),
    debtAssets: of('debt').map(assetOf),
  };
}

function assetOf(leg: Omit<PositionLegV1, 'liquidationThresholdBps' | 'usedAsCollateral'>): PositionAsset {
  const { side: _side, scaledRaw: _scaledRaw, ...asset } = leg;
  return asset;
}

/** The price symbol of the most important collateral. Null if nothing secures the debt. */
export function mainCollateral({ legs }: PositionV1): string | null {
  const secured = new Map<string, number>();
  for (const { side, asset, usdValue, usedAsCollateral, liquidationThresholdBps } of legs) {
    if (side !== 'collateral' || !usedAsCollateral) continue;
    const symbol = priceSymbol(asset);
    secured.set(symbol, (secured.get(symbol) ?? 0) + usdValue * liquidationThresholdBps);
  }
  const [first] = [...secured].toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1));
  return first && first[1] > 0 ? first[0] : null;
}

/** The position in the format of the estimators. */
export function estimatedPosition(event: PositionV1): RiskPosition {
  return riskPosition(heldPosition(event));
}
