import type { TrackRecordHorizon } from '@plimsoll/contracts';
import { calibratedCalibrationError, equalCountBins, expectedCalibrationError } from '@plimsoll/risk-math';

/** The fewest periods from which their spread can be estimated. */
const MIN_PERIODS = 5;

/** Forecasts of nearly the same probability, summed. `forecasts` are those with an outcome. */
export interface RecordCell {
  forecasts: number;
  events: number;
  sumProbability: number;
  sumVariance: number;
  sumSquaredError: number;
  sumLogScore: number;
  censored: number;
  sumCensored: number;
  pending: number;
}

/** Forecasts with an outcome that were made in one period, as long as their horizon. */
export interface RecordPeriod {
  /** Counted from 1970. */
  period: number;
  /** Σ (outcome − probability). */
  excess: number;
}

export type Scores = Omit<TrackRecordHorizon, 'horizonDays' | 'modelVersion'>;

/** The figures of all of these forecasts together. */
export function scoresOf(cells: readonly RecordCell[], periods: readonly RecordPeriod[]): Scores {
  const sum = (of: (cell: RecordCell) => number): number => cells.reduce((all, cell) => all + of(cell), 0);
  const n = sum(({ forecasts }) => forecasts);
  const events = sum((cell) => cell.events);
  const censored = sum((cell) => cell.censored);
  const share = (of: number, all: number): number | null => (all === 0 ? null : of / all);
  // The rounding of a sum of thousands of doubles may lead slightly outside of 0 and 1.
  const rate = (of: number, all: number): number | null =>
    all === 0 ? null : Math.min(1, Math.max(0, of / all));
  const bins = equalCountBins(cells);
  return {
    n,
    censored,
    pending: sum(({ pending }) => pending),
    brier: share(
      sum(({ sumSquaredError }) => sumSquaredError),
      n,
    ),
    logScore: share(
      sum(({ sumLogScore }) => sumLogScore),
      n,
    ),
    ece: n === 0 ? null : expectedCalibrationError(bins),
    expectedEce: n === 0 ? null : calibratedCalibrationError(bins),
    meanForecast: rate(
      sum(({ sumProbability }) => sumProbability),
      n,
    ),
    observedRate: rate(events, n),
    standardError: n === 0 ? null : standardError(periods, n),
    observedRateLowest: rate(events, n + censored),
    observedRateHighest: rate(events + censored, n + censored),
    meanForecastCensored: rate(
      sum(({ sumCensored }) => sumCensored),
      censored,
    ),
  };
}

/** The standard error of the mean excess, with each period as one draw. Null with too few of them. */
function standardError(periods: readonly RecordPeriod[], n: number): number | null {
  const byPeriod = new Map<number, number>();
  for (const { period, excess } of periods) byPeriod.set(period, (byPeriod.get(period) ?? 0) + excess);
  if (byPeriod.size < MIN_PERIODS) return null;
  const squares = [...byPeriod.values()].reduce((all, excess) => all + excess ** 2, 0);
  return Math.sqrt(squares) / n;
}
