import type { SimulationTask, TaskResult } from '@plimsoll/risk-math';

export interface Job {
  id: number;
  task: SimulationTask;
  /** In shared memory: 1 as soon as no caller needs the result. */
  cancelled: Int32Array;
}

export type JobResult =
  { id: number; result: TaskResult } | { id: number; cancelled: true } | { id: number; error: string };
