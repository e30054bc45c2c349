import { assetsOf, type RiskPosition } from '../position/position';
import { positionTotals } from '../position/totals';
import { ScrambledSobol } from '../random/scrambled-sobol';
import { percentiles } from '../statistics/quantile';
import type { FilteredHistory } from './filtered-history';
import { BlockBootstrap } from './block-bootstrap';
import { exposuresOf, historicalKernel, type HistoricalExposure } from './historical-kernel';
import { BLOCK_PATHS } from './path-block';
import {
  assertOptions,
  stopIfCancelled,
  WITHOUT_DEBT,
  type SimulationOptions,
  type SimulationResult,
} from './simulation';

/**
 * The past days from the one that would hurt the position most today to the one that would help it most, so that a
 * coordinate near 0 is a bad day on every path.
 */
function daysByHarm(exposures: readonly HistoricalExposure[], days: number): Uint32Array {
  const profit = new Float64Array(days);
  for (const { netUsd, residuals } of exposures) {
    const deviation = Math.sqrt(residuals.nextVariance);
    for (let day = 0; day < days; day += 1) profit[day]! += netUsd * deviation * residuals.close[day]!;
  }
  return Uint32Array.from({ length: days }, (_, day) => day).sort((a, b) => profit[a]! - profit[b]!);
}

/**
 * Probability that HF falls below 1 within the horizon, intraday lows and highs counted, and percentiles of the terminal HF,
 * by filtered historical simulation: each simulated day is a past day, taken over all assets at once so that correlation
 * and tails stay, scaled by a volatility that GARCH(1,1) goes on updating on the path. Days come in blocks
 * (`BlockBootstrap`), from scrambled Sobol points, one dimension a day. The mean of the history stays in it.
 *
 * Lows of a day are taken to fall together, and so are highs: that errs to the safe side for several collaterals, and moves
 * a staked asset with its underlying.
 * Error: `standardError` is √(p(1 − p)/paths), that of independent paths; the even points have less.
 * @throws RangeError for options out of range and when the history lacks an asset of the position
 */
export function simulateHistorical(
  position: RiskPosition,
  history: FilteredHistory,
  options: SimulationOptions,
): SimulationResult {
  assertOptions(options);
  const { horizonDays, paths, seed } = options;
  const exposures = exposuresOf(position, history, assetsOf(position));
  const { healthFactor: now } = positionTotals(position);
  if (now === null) return WITHOUT_DEBT;
  const kernel = historicalKernel(exposures);
  const sobol = new ScrambledSobol(horizonDays, paths, BLOCK_PATHS, seed);
  const bootstrap = new BlockBootstrap(sobol, daysByHarm(exposures, history.days));
  const health = new Float64Array(paths);
  let touched = 0;
  for (let first = 0; first < paths; first += BLOCK_PATHS) {
    stopIfCancelled(options);
    const count = Math.min(BLOCK_PATHS, paths - first);
    sobol.nextBlock(count);
    kernel.start();
    for (let day = 0; day < horizonDays; day += 1) {
      bootstrap.next(day, count);
      kernel.step(bootstrap.drawn, count);
    }
    touched += kernel.finish(health.subarray(first, first + count));
  }
  const probability = now < 1 ? 1 : touched / paths;
  return {
    liquidationProbability: probability,
    standardError: Math.sqrt((probability * (1 - probability)) / paths),
    percentiles: percentiles(health),
    method: 'monte_carlo',
  };
}
