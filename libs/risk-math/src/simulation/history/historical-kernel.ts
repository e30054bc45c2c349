import type { RiskPosition } from '../../position/position';
import type { AssetResiduals, FilteredHistory } from './filtered-history';
import { BLOCK_PATHS } from '../path-block';

/** One asset of a position with its past days, USD at today's prices. */
export interface HistoricalExposure {
  weightedUsd: number;
  debtUsd: number;
  /** weighted − debt: HF < 1 exactly when the sum of these falls below 0. */
  netUsd: number;
  residuals: AssetResiduals;
}

/** @throws RangeError when the history lacks an asset */
export function exposuresOf(
  position: RiskPosition,
  history: FilteredHistory,
  assets: readonly string[],
): HistoricalExposure[] {
  return assets.map((asset) => {
    const residuals = history.residuals[history.assets.indexOf(asset)];
    if (!residuals) throw new RangeError(`The history has no days of ${asset}.`);
    const of = (legs: readonly { asset: string; amount: number; priceUsd: number }[], weight = 1): number =>
      legs.reduce((sum, leg) => sum + (leg.asset === asset ? leg.amount * leg.priceUsd * weight : 0), 0);
    const weightedUsd = position.collateral.reduce(
      (sum, leg) => sum + of([leg], leg.liquidationThreshold),
      0,
    );
    const debtUsd = of(position.debt);
    return { weightedUsd, debtUsd, netUsd: weightedUsd - debtUsd, residuals };
  });
}

/** Follows a block of paths day by day. */
export interface HistoricalKernel {
  /** Sets every path of the block to today's prices and volatilities. */
  start(): void;
  /** Moves each path by the past day drawn for it, and returns how many have touched HF < 1 so far. */
  step(drawn: Uint32Array, count: number): number;
  /** Writes HF of each path. */
  finish(health: Float64Array): void;
}

/** State of one asset over a block. */
interface AssetState extends HistoricalExposure {
  /** Growth of the price by its drift since the start, the same on every path. */
  grown: number;
  /** Price of each path over today's, without that growth. */
  relative: Float64Array;
  variance: Float64Array;
}

/**
 * The kernel for these exposures. Each asset is one pass over the block, so it serves any number of them. The
 * net values at the day's lows, highs and closes are summed during the pass, those at highs only if there is
 * volatile debt.
 */
export function historicalKernel(exposures: readonly HistoricalExposure[]): HistoricalKernel {
  const row = (): Float64Array => new Float64Array(BLOCK_PATHS);
  const states = exposures.map((exposure): AssetState => ({
    ...exposure,
    grown: 1,
    relative: row(),
    variance: row(),
  }));
  const hasVolatileDebt = states.some(({ netUsd, residuals }) => netUsd < 0 && residuals.nextVariance > 0);
  const [atLow, atHigh, atClose] = [row(), row(), row()];
  const touched = new Uint8Array(BLOCK_PATHS);

  const advance = (state: AssetState, drawn: Uint32Array, count: number): void => {
    const { relative, variance } = state;
    const { close, low, high } = state.residuals;
    state.grown *= Math.exp(state.residuals.drift);
    const netUsd = state.netUsd * state.grown;
    const { alpha, beta, target } = state.residuals.parameters;
    const omega = (1 - alpha - beta) * target;
    for (let p = 0; p < count; p += 1) {
      const day = drawn[p]!;
      const before = relative[p]! * netUsd;
      const deviation = Math.sqrt(variance[p]!);
      const change = deviation * close[day]!;
      const growth = Math.exp(change);
      atLow[p]! += before * Math.exp(deviation * low[day]!);
      if (hasVolatileDebt) atHigh[p]! += before * Math.exp(deviation * high[day]!);
      atClose[p]! += before * growth;
      relative[p]! *= growth;
      variance[p] = omega + alpha * change * change + beta * variance[p]!;
    }
  };

  return {
    start() {
      touched.fill(0);
      for (const state of states) {
        state.grown = 1;
        state.relative.fill(1);
        state.variance.fill(state.residuals.nextVariance);
      }
    },
    step(drawn, count) {
      for (const sum of [atLow, atHigh, atClose]) sum.fill(0);
      for (const state of states) advance(state, drawn, count);
      let sum = 0;
      for (let p = 0; p < count; p += 1) {
        if (atLow[p]! < 0 || atClose[p]! < 0 || atHigh[p]! < 0) touched[p] = 1;
        sum += touched[p]!;
      }
      return sum;
    },
    finish(health) {
      for (let p = 0; p < health.length; p += 1) {
        let weighted = 0;
        let debt = 0;
        for (const { relative, grown, weightedUsd, debtUsd } of states) {
          weighted += weightedUsd * grown * relative[p]!;
          debt += debtUsd * grown * relative[p]!;
        }
        health[p] = weighted / debt;
      }
    },
  };
}
