import { assetsOf, type RiskPosition } from '../position/position';
import type { Matrix } from '../statistics/matrix';

/** The distribution of prices: log returns per day, jointly normal. */
export interface PriceMarket {
  assets: readonly string[];
  /** Covariance of daily log returns, in the order of `assets`. An asset with a constant price has zeros. */
  dailyCovariance: Matrix;
  /** Expected simple growth per day, by default 0 for each asset: prices are martingales. */
  dailyDrift?: readonly number[];
}

/**
 * A position by asset: W = constantWeighted + Σ weighted·relative price, and D in the same way; in USD at
 * today's prices.
 */
export interface HealthModel {
  assets: string[];
  constantWeightedUsd: number;
  constantDebtUsd: number;
  weightedUsd: number[];
  debtUsd: number[];
  /** Covariance of daily log returns. */
  covariance: number[][];
  /** Drift of the log price per day: μ − σ²/2. */
  logDrift: number[];
}

function valueOf(legs: readonly { asset: string; amount: number; priceUsd: number; weight: number }[]) {
  return (asset: string): number =>
    legs.reduce((sum, leg) => sum + (leg.asset === asset ? leg.amount * leg.priceUsd * leg.weight : 0), 0);
}

/**
 * The position's weights beside the market's figures, asset by asset. Legs of one asset are summed, and an
 * asset without variance and drift becomes a constant. @throws RangeError when the market lacks an asset of
 * the position
 */
export function healthModel(position: RiskPosition, market: PriceMarket): HealthModel {
  const weightedOf = valueOf(
    position.collateral.map((leg) => ({ ...leg, weight: leg.liquidationThreshold })),
  );
  const debtOf = valueOf(position.debt.map((leg) => ({ ...leg, weight: 1 })));
  const model: HealthModel = {
    assets: [],
    constantWeightedUsd: 0,
    constantDebtUsd: 0,
    weightedUsd: [],
    debtUsd: [],
    covariance: [],
    logDrift: [],
  };
  const indices: number[] = [];
  for (const asset of assetsOf(position)) {
    const index = market.assets.indexOf(asset);
    const variance = market.dailyCovariance[index]?.[index];
    if (variance === undefined) throw new RangeError(`The market has no figures for ${asset}.`);
    const drift = market.dailyDrift?.[index] ?? 0;
    if (variance === 0 && drift === 0) {
      model.constantWeightedUsd += weightedOf(asset);
      model.constantDebtUsd += debtOf(asset);
      continue;
    }
    indices.push(index);
    model.assets.push(asset);
    model.weightedUsd.push(weightedOf(asset));
    model.debtUsd.push(debtOf(asset));
    model.logDrift.push(drift - variance / 2);
  }
  model.covariance = indices.map((i) => indices.map((j) => market.dailyCovariance[i]![j]!));
  return model;
}
