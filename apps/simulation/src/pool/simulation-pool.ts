import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import { SimulationConfig } from '../config';
import { simulationSeconds, simulationsRefused, simulationsWaiting } from '../metrics';
import type { SimulationTask, TaskResult } from './job';
import { PendingJob } from './pending-job';
import { SimulationThread } from './simulation-thread';

const busy = (): Problem =>
  new Problem(
    'upstream_unavailable',
    'All simulators are busy and the queue is full. Send the request again after the seconds in Retry-After.',
    { headers: { 'retry-after': '2' } },
  );

/**
 * Simulates in threads that live as long as the service, so that the event loop only passes tasks and
 * results.
 */
@Injectable()
export class SimulationPool implements OnApplicationShutdown {
  private readonly threads: SimulationThread[];
  private readonly waiting = new Set<PendingJob>();
  private lastId = 0;

  constructor(private readonly config: SimulationConfig) {
    const { SIMULATION_WORKERS } = config;
    this.threads = Array.from(
      { length: SIMULATION_WORKERS },
      () => new SimulationThread((thread) => this.feed(thread)),
    );
  }

  /** Whether a thread is free for a simulation. */
  get isIdle(): boolean {
    return this.threads.some(({ isIdle }) => isIdle);
  }

  /**
   * @param left ends the simulation at the next block of paths when it aborts
   * @throws upstream_unavailable with a full queue, upstream_timeout past the deadline
   */
  async run(task: SimulationTask, left: AbortSignal): Promise<TaskResult> {
    const idle = this.threads.find(({ isIdle }) => isIdle);
    if (!idle && this.waiting.size >= this.config.SIMULATION_QUEUE) {
      simulationsRefused.inc();
      throw busy();
    }
    const pending = new PendingJob((this.lastId += 1), task);
    if (idle) idle.take(pending);
    else this.waiting.add(pending);
    simulationsWaiting.set(this.waiting.size);
    const stopTimer = simulationSeconds.startTimer({ model: task.model });
    const timeout = AbortSignal.timeout(this.config.SIMULATION_DEADLINE_MS);
    const ended = AbortSignal.any([left, timeout]);
    const giveUp = (): void => {
      if (this.waiting.delete(pending)) simulationsWaiting.set(this.waiting.size);
      pending.cancel();
      pending.reject(exited(timeout.aborted));
    };
    ended.addEventListener('abort', giveUp);
    if (ended.aborted) giveUp();
    try {
      return await pending.result;
    } finally {
      ended.removeEventListener('abort', giveUp);
      stopTimer();
    }
  }

  async onApplicationShutdown(): Promise<void> {
    await Promise.all(this.threads.map((thread) => thread.close()));
  }

  private feed(thread: SimulationThread): void {
    const [next] = this.waiting;
    if (!next) return;
    this.waiting.delete(next);
    simulationsWaiting.set(this.waiting.size);
    thread.take(next);
  }
}

function exited(isLate: boolean): Problem {
  return isLate
    ? new Problem('upstream_timeout', 'The simulation took too long. Request fewer iterations or days.')
    : new Problem('upstream_unavailable', 'The client disconnected before the simulation was done.');
}
