import { SimulationCancelled, simulate } from '@plimsoll/risk-math';
import type { Job, JobResult } from './job';

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
