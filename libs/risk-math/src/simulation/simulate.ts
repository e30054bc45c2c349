import type { RiskPosition } from '../position/position';
import { simulateGbm } from './gbm';
import type { PriceMarket } from './health-model';
import { filterHistory, type DailyHistory } from './history/filtered-history';
import { simulateHistorical, type HistoricalOptions, type HistoricalResult } from './history/historical';
import type { SimulationOptions, SimulationResult } from './simulation';

/** The options of a simulation without `isCancelled`, which the thread itself adds. */
type Options<Of extends SimulationOptions> = Omit<Of, 'isCancelled'>;

/** Everything that determines a result: the same task gives the same bits. */
export type SimulationTask =
  | {
      model: 'fhs';
      position: RiskPosition;
      options: Options<HistoricalOptions>;
      history: DailyHistory;
      /** Growth of the log price a year, in the order of the history's assets. */
      annualDrift: number[];
    }
  | { model: 'gbm'; position: RiskPosition; options: Options<SimulationOptions>; market: PriceMarket };

/** Only fhs computes when HF first falls below 1. */
export type TaskResult = SimulationResult & Partial<Pick<HistoricalResult, 'firstPassageDays'>>;

/**
 * Increased whenever a model returns other bits for the same task, so that a receipt names what reruns it and the track
 * record never mixes two models. model-versions.spec.ts and forecast-model.spec.ts fail when a change forgets it.
 */
export const MODEL_VERSIONS = { fhs: '2', gbm: '1' } as const;

/** @throws SimulationCancelled when no caller needs the result; RangeError for a task that is impossible */
export function simulate(task: SimulationTask, isCancelled: () => boolean = () => false): TaskResult {
  if (task.model === 'gbm') return simulateGbm(task.position, task.market, { ...task.options, isCancelled });
  const history = filterHistory(task.history, { annualDrift: task.annualDrift });
  return simulateHistorical(task.position, history, { ...task.options, isCancelled });
}
