import type {
  DailyHistory,
  HistoricalOptions,
  HistoricalResult,
  PriceMarket,
  RiskPosition,
  SimulationOptions,
  SimulationResult,
} from '@plimsoll/risk-math';

/** The options of a simulation without `isCancelled`, which the thread itself adds. */
type Options<Of extends SimulationOptions> = Omit<Of, 'isCancelled'>;

/** The task of a thread. */
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

export interface Job {
  id: number;
  task: SimulationTask;
  /** In shared memory: 1 as soon as no caller needs the result. */
  cancelled: Int32Array;
}

export type JobResult =
  { id: number; result: TaskResult } | { id: number; cancelled: true } | { id: number; error: string };
