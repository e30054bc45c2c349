import { type SimulationTask, type TaskResult, assetsOf } from '@plimsoll/risk-math';
import type { Job } from './job';

/** Costs up to this take a thread about 50 ms. */
const SHORT_COST = 2_000_000;

/** The client that waits for a simulation. */
export interface Requester {
  accountId: string;
  /** Aborts when the client disconnects. */
  left: AbortSignal;
}

/** A job between its request and its result. */
export class PendingJob {
  readonly job: Job;
  readonly result: Promise<TaskResult>;
  /** Known in advance: paths × days × assets. A thread does about 40 million a second. */
  readonly cost: number;
  resolve!: (result: TaskResult) => void;
  reject!: (error: Error) => void;

  constructor(
    id: number,
    task: SimulationTask,
    readonly accountId: string,
  ) {
    this.job = { id, task, cancelled: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
    const { paths, horizonDays } = task.options;
    this.cost = paths * horizonDays * assetsOf(task.position).length;
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  get isShort(): boolean {
    return this.cost <= SHORT_COST;
  }

  /** The thread checks it between two blocks of paths. */
  cancel(): void {
    Atomics.store(this.job.cancelled, 0, 1);
  }
}
