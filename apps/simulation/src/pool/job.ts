import type {
  DailyHistory,
  PriceMarket,
  RiskPosition,
  SimulationOptions,
  SimulationResult,
} from '@plimsoll/risk-math';

type Options = Pick<SimulationOptions, 'horizonDays' | 'paths' | 'seed'>;

/** What a thread is asked to work out. */
export type SimulationTask =
  | { model: 'fhs'; position: RiskPosition; options: Options; history: DailyHistory }
  | { model: 'gbm'; position: RiskPosition; options: Options; market: PriceMarket };

export interface Job {
  id: number;
  task: SimulationTask;
  /** Over shared memory: 1 as soon as nobody wants the result any more. */
  cancelled: Int32Array;
}

export type JobAnswer =
  { id: number; result: SimulationResult } | { id: number; cancelled: true } | { id: number; error: string };
