import type { Job, SimulationTask, TaskResult } from './job';

/** A job between its request and its result. */
export class PendingJob {
  readonly job: Job;
  readonly result: Promise<TaskResult>;
  resolve!: (result: TaskResult) => void;
  reject!: (error: Error) => void;

  constructor(id: number, task: SimulationTask) {
    this.job = { id, task, cancelled: new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT)) };
    this.result = new Promise((resolve, reject) => {
      this.resolve = resolve;
      this.reject = reject;
    });
  }

  /** The thread checks it between two blocks of paths. */
  cancel(): void {
    Atomics.store(this.job.cancelled, 0, 1);
  }
}
