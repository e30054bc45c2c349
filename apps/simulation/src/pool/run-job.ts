import { SimulationCancelled, filterHistory, simulateGbm, simulateHistorical } from '@plimsoll/risk-math';
import type { Job, JobResult, SimulationTask, TaskResult } from './job';

/** Runs in a thread. Every failure becomes a result, so that the thread survives. */
export function runJob({ id, task, cancelled }: Job): JobResult {
  try {
    return { id, result: simulate(task, () => Atomics.load(cancelled, 0) === 1) };
  } catch (error) {
    return error instanceof SimulationCancelled
      ? { id, cancelled: true }
      : { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function simulate(task: SimulationTask, isCancelled: () => boolean): TaskResult {
  if (task.model === 'gbm') return simulateGbm(task.position, task.market, { ...task.options, isCancelled });
  const history = filterHistory(task.history, { annualDrift: task.annualDrift });
  return simulateHistorical(task.position, history, { ...task.options, isCancelled });
}
