import {
  type AssetExitLiquidity,
  EXIT_IMPACTS,
  type ExitLevel,
  type ExitLiquidityBasis,
  type PositionDetail,
  type PositionExitLiquidity,
  priceSymbol,
} from '@plimsoll/contracts';
import { type Depth, DEPTH_MODEL, priceImpact, saleAtImpact, slippageUsd } from '@plimsoll/risk-math';
import { depthOfSymbol } from '@plimsoll/risk-position';
import { positionBasis } from '../position/position-basis';

const UNKNOWN = {
  levels: null,
  basis: null,
  source: null,
  measuredIn: null,
  reason: 'not_measured',
} as const;

/** The exit liquidity of an asset, by its symbol in any case. */
export function exitLiquidity(asset: string): AssetExitLiquidity {
  return { asset, ...basisOf(depthOfSymbol(asset)) };
}

/** The exit liquidity of the collateral that secures a position. */
export function positionExitLiquidity(detail: PositionDetail): PositionExitLiquidity {
  const values = new Map<string, number>();
  for (const { asset, usdValue, usedAsCollateral } of detail.collateralAssets) {
    const symbol = priceSymbol(asset);
    if (usedAsCollateral) values.set(symbol, (values.get(symbol) ?? 0) + usdValue);
  }
  const collateral = [...values]
    .toSorted(([, a], [, b]) => b - a)
    .map(([asset, usdValue]) => {
      const depth = depthOfSymbol(asset);
      const isKnown = depth.basis !== 'default';
      return {
        asset,
        usdValue,
        priceImpactPercent: isKnown ? 100 * priceImpact(depth, usdValue) : null,
        lossUsd: isKnown ? slippageUsd(depth, usdValue) : null,
        ...basisOf(depth),
      };
    });
  const isKnown = collateral.every(({ levels }) => levels !== null);
  return {
    ...positionBasis(detail),
    collateral,
    levels: isKnown ? EXIT_IMPACTS.map((impact, at) => totalOf(collateral, impact, at)) : null,
    reason: isKnown ? null : 'not_measured',
    model: DEPTH_MODEL,
  };
}

/** A depth of another asset says nothing about an unmeasured one, so it counts as unknown here. */
function basisOf(depth: Depth): ExitLiquidityBasis {
  const { basis, measurement } = depth;
  if (basis === 'default') return UNKNOWN;
  return {
    levels: EXIT_IMPACTS.map((impact) => ({
      priceImpactPercent: impact,
      sellableUsd: saleAtImpact(depth, impact / 100),
    })),
    basis,
    source: measurement.source,
    measuredIn: measurement.measuredIn,
    reason: null,
  };
}

function totalOf(
  collateral: readonly { usdValue: number; levels: ExitLevel[] | null }[],
  priceImpactPercent: number,
  at: number,
): ExitLevel {
  const sellableUsd = collateral.reduce(
    (sum, { usdValue, levels }) => sum + Math.min(usdValue, levels![at]!.sellableUsd),
    0,
  );
  return { priceImpactPercent, sellableUsd };
}
