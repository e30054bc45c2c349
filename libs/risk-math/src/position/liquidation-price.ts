import type { RiskPosition } from './position';
import { positionTotals } from './totals';

/** The part of W and D from an asset at a price of 1. */
function exposure(position: RiskPosition, asset: string): { weighted: number; debt: number } {
  let weighted = 0;
  let owed = 0;
  for (const leg of position.collateral) {
    if (leg.asset === asset) weighted += leg.amount * leg.liquidationThreshold;
  }
  for (const leg of position.debt) if (leg.asset === asset) owed += leg.amount;
  return { weighted, debt: owed };
}

/** W and D of all assets but one. */
function rest(position: RiskPosition, asset: string): { weightedUsd: number; debtUsd: number } {
  const totals = positionTotals({
    collateral: position.collateral.filter((leg) => leg.asset !== asset),
    debt: position.debt.filter((leg) => leg.asset !== asset),
  });
  return { weightedUsd: totals.weightedCollateralUsd, debtUsd: totals.totalDebtUsd };
}

/**
 * The price (USD) of one asset at which HF = 1 while all others keep theirs: P* = (D_other − W_other) /
 * (amount·LT − debt). For a debt asset it is the price to which it must rise. null if no positive price does
 * it, and without debt. Error: relative 1e-15 of the larger of D_other and W_other, so it grows where the two
 * cancel.
 */
export function liquidationPrice(position: RiskPosition, asset: string): number | null {
  const { weighted, debt } = exposure(position, asset);
  const others = rest(position, asset);
  if (debt + others.debtUsd === 0 || weighted === debt) return null;
  const price = (others.debtUsd - others.weightedUsd) / (weighted - debt);
  return price > 0 ? price : null;
}

/**
 * The uniform fall of all collateral that liquidates, in percent: (1 − 1/HF)·100. Negative when already
 * liquidatable. null without debt or without collateral.
 */
export function distancePercent(position: RiskPosition): number | null {
  const { healthFactor } = positionTotals(position);
  return healthFactor === null || healthFactor === 0 ? null : (1 - 1 / healthFactor) * 100;
}

/** W and D of the stable assets, separate from the others. */
function split(
  position: RiskPosition,
  isStable: (asset: string) => boolean,
): Record<'stable' | 'volatile', { weightedUsd: number; debtUsd: number }> {
  const part = (wanted: boolean): { weightedUsd: number; debtUsd: number } => {
    const totals = positionTotals({
      collateral: position.collateral.filter(({ asset }) => isStable(asset) === wanted),
      debt: position.debt.filter(({ asset }) => isStable(asset) === wanted),
    });
    return { weightedUsd: totals.weightedCollateralUsd, debtUsd: totals.totalDebtUsd };
  };
  return { stable: part(true), volatile: part(false) };
}

/**
 * As `distancePercent`, with constant stable collateral: the uniform fall of the volatile collateral alone.
 * Above 100 when the stable collateral covers the debt. null without debt or without volatile collateral.
 */
export function volatileDistancePercent(
  position: RiskPosition,
  isStable: (asset: string) => boolean,
): number | null {
  const { stable, volatile } = split(position, isStable);
  const debtUsd = stable.debtUsd + volatile.debtUsd;
  if (debtUsd === 0 || volatile.weightedUsd === 0) return null;
  return (1 - (debtUsd - stable.weightedUsd) / volatile.weightedUsd) * 100;
}

/**
 * The factor k at which HF = 1 when every volatile price, of collateral and of debt, is multiplied by k:
 * (D_stable − W_stable) / (W_volatile − D_volatile). Not positive if no such move liquidates. null when the
 * volatile sides balance.
 */
export function volatileScaleAtLiquidation(
  position: RiskPosition,
  isStable: (asset: string) => boolean,
): number | null {
  const { stable, volatile } = split(position, isStable);
  const net = volatile.weightedUsd - volatile.debtUsd;
  return net === 0 ? null : (stable.debtUsd - stable.weightedUsd) / net;
}
