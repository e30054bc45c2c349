import {
  firstPassageProbability,
  terminalHealthFactor,
  type LogHealthProcess,
} from '../first-passage/first-passage';
import { DAYS_PER_YEAR } from '../statistics/returns';
import type { HealthModel } from './health-model';

/** Exact results for a position that has debt. */
export interface ClosedForm {
  /** The probability of HF < 1 at any time within the days. */
  probability(days: number): number;
  /** Quantile of HF at the horizon, unabsorbed. */
  percentile(days: number, quantile: number): number;
}

/** One price (or a constant) on each side: ln HF itself is a Brownian motion. */
function ratioForm(healthFactor: number, process: LogHealthProcess): ClosedForm {
  return {
    probability: (days) => firstPassageProbability(healthFactor, process, days),
    percentile: (days, quantile) => terminalHealthFactor(healthFactor, process, days, quantile),
  };
}

function ratioProcessOf(model: HealthModel): LogHealthProcess | null {
  const collateral = model.assets.flatMap((_, i) => (model.weightedUsd[i]! > 0 ? [i] : []));
  const debt = model.assets.flatMap((_, i) => (model.debtUsd[i]! > 0 ? [i] : []));
  const isSingle = (indices: number[], constant: number): boolean =>
    indices.length + (constant > 0 ? 1 : 0) === 1;
  if (!isSingle(collateral, model.constantWeightedUsd) || !isSingle(debt, model.constantDebtUsd)) return null;
  const [c] = collateral;
  const [d] = debt;
  const covariance = (i: number | undefined, j: number | undefined): number =>
    i === undefined || j === undefined ? 0 : model.covariance[i]![j]!;
  const drift = (i: number | undefined): number => (i === undefined ? 0 : model.logDrift[i]!);
  return {
    drift: (drift(c) - drift(d)) * DAYS_PER_YEAR,
    variance: Math.max(0, covariance(c, c) + covariance(d, d) - 2 * covariance(c, d)) * DAYS_PER_YEAR,
  };
}

/**
 * One price that moves among constants. HF < 1 exactly when it is beyond its liquidation price, so its own
 * first passage is the result, and HF at the horizon is a monotone function of it.
 */
function singlePriceForm(model: HealthModel): ClosedForm {
  const { constantWeightedUsd, constantDebtUsd, weightedUsd, debtUsd } = model;
  const w = weightedUsd[0]!;
  const d = debtUsd[0]!;
  const price = {
    drift: model.logDrift[0]! * DAYS_PER_YEAR,
    variance: model.covariance[0]![0]! * DAYS_PER_YEAR,
  };
  const net = w - d;
  // Relative price at which W = D. 0 or less if there is none.
  const barrier = (constantDebtUsd - constantWeightedUsd) / net;
  const isHarmedByFall = net > 0;
  const process = isHarmedByFall ? price : { ...price, drift: -price.drift };
  const isLiquidatable = constantWeightedUsd + w < constantDebtUsd + d;
  // The distance of the price from its barrier, as a health factor: 1 at the barrier, null if it never gets
  // there.
  const distance = barrier > 0 ? (isHarmedByFall ? 1 / barrier : barrier) : isLiquidatable ? 0 : null;
  const growsWithPrice = w * constantDebtUsd >= d * constantWeightedUsd;
  return {
    probability: (days) => firstPassageProbability(distance, process, days),
    percentile: (days, quantile) => {
      const relative = terminalHealthFactor(1, price, days, growsWithPrice ? quantile : 1 - quantile);
      return (constantWeightedUsd + w * relative) / (constantDebtUsd + d * relative);
    },
  };
}

/**
 * Exact results where they exist: one price against one other or a constant, and one price that moves among
 * constants (stable collateral beside it, stable debt beside it). null for every other position. The position
 * must have debt.
 */
export function closedForm(model: HealthModel, healthFactor: number): ClosedForm | null {
  const ratio = ratioProcessOf(model);
  if (ratio) return ratioForm(healthFactor, ratio);
  const isSinglePrice = model.assets.length === 1 && model.weightedUsd[0] !== model.debtUsd[0];
  return isSinglePrice ? singlePriceForm(model) : null;
}
