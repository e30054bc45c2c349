import {
  SimulationCancelled,
  type SimulationOptions,
  type SimulationResult,
  filterHistory,
  simulateGbm,
  simulateHistorical,
} from '@plimsoll/risk-math';
import type { Job, JobAnswer, SimulationTask } from './job';

/** Runs in a thread. Whatever goes wrong is an answer, so that the thread lives on. */
export function runJob({ id, task, cancelled }: Job): JobAnswer {
  try {
    return { id, result: simulate(task, () => Atomics.load(cancelled, 0) === 1) };
  } catch (error) {
    return error instanceof SimulationCancelled
      ? { id, cancelled: true }
      : { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) };
  }
}

function simulate(task: SimulationTask, isCancelled: () => boolean): SimulationResult {
  const options: SimulationOptions = { ...task.options, isCancelled };
  return task.model === 'fhs'
    ? simulateHistorical(task.position, filterHistory(task.history), options)
    : simulateGbm(task.position, task.market, options);
}
