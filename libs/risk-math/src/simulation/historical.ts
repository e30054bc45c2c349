import type { RiskPosition } from '../position/position';
import { healthFactor } from '../position/totals';
import { percentiles } from '../statistics/quantile';
import type { FilteredHistory } from './filtered-history';
import { touchedWithin, touchError, walkHistorical } from './historical-walk';
import { upperBoundOfNone } from './replicates';
import { assertOptions, WITHOUT_DEBT, type SimulationOptions, type SimulationResult } from './simulation';

/**
 * Probability that HF falls below 1 within the horizon, intraday lows and highs counted, and percentiles of the terminal HF,
 * by filtered historical simulation (`walkHistorical`). Prices have the trend of the filtered history: none, unless
 * it was given one.
 * @throws RangeError for options out of range and when the history lacks an asset of the position
 */
export function simulateHistorical(
  position: RiskPosition,
  history: FilteredHistory,
  options: SimulationOptions,
): SimulationResult {
  assertOptions(options);
  const now = healthFactor(position);
  if (now === null) return WITHOUT_DEBT;
  const health = new Float64Array(options.paths);
  const walk = walkHistorical(position, history, options, health);
  const { horizonDays, paths } = options;
  const touched = touchedWithin(walk, horizonDays);
  return {
    liquidationProbability: now < 1 ? 1 : touched / paths,
    standardError: now < 1 ? 0 : touchError(walk, horizonDays),
    upperBound95: now < 1 ? null : upperBoundOfNone(touched, paths),
    percentiles: percentiles(health),
    method: 'monte_carlo',
  };
}
