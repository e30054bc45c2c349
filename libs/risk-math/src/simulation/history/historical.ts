import type { RiskPosition } from '../../position/position';
import { healthFactor } from '../../position/totals';
import { percentiles } from '../../statistics/quantile';
import type { FilteredHistory } from './filtered-history';
import { touchedWithin, touchError, walkHistorical } from './historical-walk';
import { NEVER, PASSED, passageDays, type PassageDays } from '../passage-days';
import { upperBoundOfNone } from '../replicates';
import { assertOptions, WITHOUT_DEBT, type SimulationOptions, type SimulationResult } from '../simulation';

export interface HistoricalOptions extends SimulationOptions {
  /** The days of the probability of HF < 1, at most the horizon, which is the default. */
  withinDays?: number;
}

/** The result of a filtered historical simulation. */
export interface HistoricalResult extends SimulationResult {
  /** Within the horizon, from the same paths as the probability. */
  firstPassageDays: PassageDays;
}

/**
 * Probability that HF falls below 1 within the horizon, intraday lows and highs counted, its first time, and
 * percentiles of the terminal HF, by filtered historical simulation (`walkHistorical`). Prices have the trend
 * of the filtered history, by default none.
 * @throws RangeError for options out of range and when the history lacks an asset of the position
 */
export function simulateHistorical(
  position: RiskPosition,
  history: FilteredHistory,
  options: HistoricalOptions,
): HistoricalResult {
  assertOptions(options);
  const { horizonDays, paths, withinDays = horizonDays } = options;
  if (!Number.isInteger(withinDays) || withinDays < 1 || withinDays > horizonDays) {
    throw new RangeError(
      `withinDays ${withinDays} is out of range. Take a whole number from 1 to the horizon.`,
    );
  }
  const now = healthFactor(position);
  if (now === null) return { ...WITHOUT_DEBT, firstPassageDays: NEVER };
  const health = new Float64Array(paths);
  const walk = walkHistorical(position, history, options, health);
  const rest = { percentiles: percentiles(health), method: 'monte_carlo' } as const;
  if (now < 1) {
    return {
      liquidationProbability: 1,
      standardError: 0,
      upperBound95: null,
      firstPassageDays: PASSED,
      ...rest,
    };
  }
  const touched = touchedWithin(walk, withinDays);
  return {
    liquidationProbability: touched / paths,
    standardError: touchError(walk, withinDays),
    upperBound95: upperBoundOfNone(touched, paths),
    firstPassageDays: passageDays(walk),
    ...rest,
  };
}
