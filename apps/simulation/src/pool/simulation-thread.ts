import { Worker } from 'node:worker_threads';
import { Problem } from '@plimsoll/contracts';
import { WORKER } from '../worker-file';
import type { JobResult } from './job';
import type { PendingJob } from './pending-job';

const failed = (cause: unknown): Problem =>
  new Problem('internal', 'The simulation failed. Report the X-Request-Id of this response.', { cause });

/** The delay prevents a restart loop of a thread that ends immediately. */
const RESTART_MS = 500;

/** Options of a thread, which it reads at its start. */
export interface ThreadOptions {
  /** It takes short jobs only. */
  isForShort: boolean;
}

/** One thread, with at most one job in progress. A thread that ends is replaced, and its job fails. */
export class SimulationThread {
  private worker: Worker | null;
  private current: PendingJob | null = null;
  private isClosed = false;

  /**
   * @param isForShort it takes short jobs only
   * @param onIdle called whenever the thread can take a job
   */
  constructor(
    private readonly isForShort: boolean,
    private readonly onIdle: (thread: SimulationThread) => void,
  ) {
    this.worker = this.start();
  }

  get isIdle(): boolean {
    return this.worker !== null && this.current === null && !this.isClosed;
  }

  fits({ isShort }: PendingJob): boolean {
    return isShort || !this.isForShort;
  }

  take(pending: PendingJob): void {
    this.current = pending;
    this.worker?.postMessage(pending.job);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    await this.worker?.terminate();
    this.settle((pending) => pending.reject(failed('the service stops')));
  }

  private start(): Worker {
    const workerData: ThreadOptions = { isForShort: this.isForShort };
    const worker = new Worker(WORKER.file, { execArgv: WORKER.execArgv, workerData });
    worker.on('message', (response: JobResult) => {
      this.settle((pending) => {
        if ('result' in response) pending.resolve(response.result);
        else pending.reject(failed('error' in response ? response.error : 'cancelled'));
      });
      this.onIdle(this);
    });
    worker.on('error', (error) => {
      // A job that is passed to it now would never run.
      this.worker = null;
      this.settle((pending) => pending.reject(failed(error)));
    });
    worker.on('exit', () => this.replace());
    return worker;
  }

  private replace(): void {
    if (this.isClosed) return;
    this.settle((pending) => pending.reject(failed('the thread ended')));
    this.worker = null;
    setTimeout(() => {
      if (this.isClosed) return;
      this.worker = this.start();
      this.onIdle(this);
    }, RESTART_MS).unref();
  }

  private settle(how: (pending: PendingJob) => void): void {
    const pending = this.current;
    this.current = null;
    if (pending) how(pending);
  }
}
