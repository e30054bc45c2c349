import type { RiskPosition } from '../position/position';
import type { AssetResiduals, FilteredHistory } from './filtered-history';
import { BLOCK_PATHS } from './path-block';

/** One asset of a position beside what its past days were; USD at today's prices. */
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
  /** Puts every path of the block at today's prices and volatilities. */
  start(): void;
  /** Moves each path by the past day drawn for it. */
  step(drawn: Uint32Array, count: number): void;
  /** Writes HF of each path. */
  finish(health: Float64Array): void;
  /** Of each path the simulated day, counted from 1, on which it first touched HF < 1; 0: on none. */
  readonly touchDays: Uint16Array;
}

/** State of one asset over a block. */
interface AssetState extends HistoricalExposure {
  relative: Float64Array;
  variance: Float64Array;
}

/**
 * The kernel for these exposures. Each asset is one pass over the block, so it serves any number of them; the net values at
 * the day's lows, highs and closes are summed on the way, those at highs only where something volatile is owed.
 */
export function historicalKernel(exposures: readonly HistoricalExposure[]): HistoricalKernel {
  const row = (): Float64Array => new Float64Array(BLOCK_PATHS);
  const states = exposures.map((exposure): AssetState => ({ ...exposure, relative: row(), variance: row() }));
  const hasVolatileDebt = states.some(({ netUsd, residuals }) => netUsd < 0 && residuals.nextVariance > 0);
  const [atLow, atHigh, atClose] = [row(), row(), row()];
  const touchDays = new Uint16Array(BLOCK_PATHS);
  let today = 0;

  const advance = (state: AssetState, drawn: Uint32Array, count: number): void => {
    const { relative, variance } = state;
    const { close, low, high } = state.residuals;
    const trend = Math.exp(state.residuals.drift);
    const netUsd = state.netUsd * trend;
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
      relative[p]! *= growth * trend;
      variance[p] = omega + alpha * change * change + beta * variance[p]!;
    }
  };

  return {
    touchDays,
    start() {
      touchDays.fill(0);
      today = 0;
      for (const { relative, variance, residuals } of states) {
        relative.fill(1);
        variance.fill(residuals.nextVariance);
      }
    },
    step(drawn, count) {
      for (const sum of [atLow, atHigh, atClose]) sum.fill(0);
      for (const state of states) advance(state, drawn, count);
      today += 1;
      const day = today;
      for (let p = 0; p < count; p += 1) {
        if ((atLow[p]! < 0 || atClose[p]! < 0 || atHigh[p]! < 0) && touchDays[p] === 0) touchDays[p] = day;
      }
    },
    finish(health) {
      for (let p = 0; p < health.length; p += 1) {
        let weighted = 0;
        let debt = 0;
        for (const { relative, weightedUsd, debtUsd } of states) {
          weighted += weightedUsd * relative[p]!;
          debt += debtUsd * relative[p]!;
        }
        health[p] = weighted / debt;
      }
    },
  };
}
