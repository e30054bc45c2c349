import { assetsOf, type RiskPosition } from '../../position/position';
import { ScrambledSobol } from '../../random/scrambled-sobol';
import { BlockBootstrap } from './block-bootstrap';
import type { FilteredHistory } from './filtered-history';
import { exposuresOf, historicalKernel, type HistoricalExposure } from './historical-kernel';
import { BLOCK_PATHS } from '../path-block';
import { replicateError, replicatesOf } from '../replicates';
import { assertOptions, stopIfCancelled, type SimulationOptions } from '../simulation';

/**
 * The past days from the worst for today's position to the best, so that a coordinate near 0 is a bad day on
 * every path.
 */
function daysByHarm(exposures: readonly HistoricalExposure[], days: number): Uint32Array {
  const profit = new Float64Array(days);
  for (const { netUsd, residuals } of exposures) {
    const deviation = Math.sqrt(residuals.nextVariance);
    for (let day = 0; day < days; day += 1) profit[day]! += netUsd * deviation * residuals.close[day]!;
  }
  return Uint32Array.from({ length: days }, (_, day) => day).sort((a, b) => profit[a]! - profit[b]!);
}

/** When the paths of a filtered historical simulation first touched HF < 1. */
export interface TouchDays {
  horizonDays: number;
  paths: number;
  /**
   * By replicate and simulated day, counted from 1: the number of its paths that have touched by the end of
   * that day.
   */
  touchedBy: Uint32Array[];
  /** Paths of each replicate. */
  sizes: number[];
}

/** Paths that touched within the days, over all replicates. */
export function touchedWithin({ touchedBy }: TouchDays, days: number): number {
  return touchedBy.reduce((sum, touched) => sum + touched[days]!, 0);
}

/** Standard error of the share of paths that touched within the days. */
export function touchError({ touchedBy, sizes }: TouchDays, days: number): number {
  return replicateError(touchedBy.map((touched, i) => touched[days]! / sizes[i]!));
}

/**
 * Walks all paths of a filtered historical simulation: each simulated day is a past day, taken over all
 * assets at once so that correlation and tails stay, scaled by a volatility that GARCH(1,1) updates on the
 * path. Days come in blocks (`BlockBootstrap`), from scrambled Sobol points, one dimension a day. The first
 * days of a longer horizon are those of a shorter one.
 *
 * The lows of a day are assumed to coincide, and so are the highs: the error is to the safe side for several
 * collaterals, and a staked asset moves with its underlying.
 * @param health receives HF of each path at the horizon; absent: not needed
 * @throws RangeError for options out of range and when the history lacks an asset of the position
 */
export function walkHistorical(
  position: RiskPosition,
  history: FilteredHistory,
  options: SimulationOptions,
  health?: Float64Array,
): TouchDays {
  assertOptions(options);
  const { horizonDays, paths, seed } = options;
  const exposures = exposuresOf(position, history, assetsOf(position));
  const kernel = historicalKernel(exposures);
  const order = daysByHarm(exposures, history.days);
  let written = 0;
  const replicates = replicatesOf(paths, seed);
  const touchedBy = replicates.map((replicate) => {
    const sobol = new ScrambledSobol(horizonDays, replicate.paths, BLOCK_PATHS, replicate.seed);
    const bootstrap = new BlockBootstrap(sobol, order);
    const touched = new Uint32Array(horizonDays + 1);
    for (let first = 0; first < replicate.paths; first += BLOCK_PATHS) {
      stopIfCancelled(options);
      const count = Math.min(BLOCK_PATHS, replicate.paths - first);
      sobol.nextBlock(count);
      kernel.start();
      for (let day = 0; day < horizonDays; day += 1) {
        bootstrap.next(day, count);
        touched[day + 1]! += kernel.step(bootstrap.drawn, count);
      }
      if (health) kernel.finish(health.subarray(written, (written += count)));
    }
    return touched;
  });
  return { horizonDays, paths, touchedBy, sizes: replicates.map((each) => each.paths) };
}
