import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import { Problem } from '@plimsoll/contracts';
import type { SimulationTask, TaskResult } from '@plimsoll/risk-math';
import { FairQueue } from '@plimsoll/service-kit';
import { SimulationConfig } from '../config';
import { simulationSeconds, simulationsRefused, simulationsWaiting } from '../metrics';
import { PendingJob, type Requester } from './pending-job';
import { SimulationThread } from './simulation-thread';

const busy = (): Problem =>
  new Problem(
    'upstream_unavailable',
    'All simulators are busy and the queue is full. Send the request again after the seconds in Retry-After.',
    { headers: { 'retry-after': '2' } },
  );

/**
 * Simulates in threads that live as long as the service, so that the event loop only passes tasks and
 * results. Accounts that wait receive equal shares of the threads. One further thread runs short simulations
 * only, so that none of them waits for a long one. On Linux, the others have a lower priority than it and the event
 * loop, because long simulations use a core completely.
 */
@Injectable()
export class SimulationPool implements OnApplicationShutdown {
  private readonly threads: SimulationThread[];
  private readonly waiting: FairQueue<PendingJob>;
  private lastId = 0;

  constructor(private readonly config: SimulationConfig) {
    const { SIMULATION_WORKERS, SIMULATION_QUEUE } = config;
    this.waiting = new FairQueue(SIMULATION_QUEUE);
    this.threads = Array.from(
      { length: SIMULATION_WORKERS + 1 },
      (_, at) => new SimulationThread(at === 0, (thread) => this.feed(thread)),
    );
  }

  /** Whether a thread is free for a simulation. */
  get isIdle(): boolean {
    return this.threads.some(({ isIdle }) => isIdle);
  }

  /**
   * Ends the simulation at the next block of paths when the client disconnects.
   * @throws upstream_unavailable with a full queue, upstream_timeout past the deadline
   */
  async run(task: SimulationTask, { accountId, left }: Requester): Promise<TaskResult> {
    const pending = new PendingJob((this.lastId += 1), task, accountId);
    const idle = this.threads.find((thread) => thread.isIdle && thread.fits(pending));
    if (idle) idle.take(pending);
    else this.wait(pending);
    const stopTimer = simulationSeconds.startTimer({ model: task.model });
    const timeout = AbortSignal.timeout(this.config.SIMULATION_DEADLINE_MS);
    const ended = AbortSignal.any([left, timeout]);
    const giveUp = (): void => {
      if (this.waiting.remove(accountId, pending)) simulationsWaiting.set(this.waiting.size);
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

  /** With a full queue, the account with the most waiting simulations loses its newest one. */
  private wait(pending: PendingJob): void {
    const refused = this.waiting.add(pending.accountId, pending.cost, pending);
    simulationsWaiting.set(this.waiting.size);
    if (!refused) return;
    simulationsRefused.inc();
    refused.reject(busy());
  }

  private feed(thread: SimulationThread): void {
    const next = this.waiting.take((pending) => thread.fits(pending));
    if (!next) return;
    simulationsWaiting.set(this.waiting.size);
    thread.take(next);
  }
}

function exited(isLate: boolean): Problem {
  return isLate
    ? new Problem('upstream_timeout', 'The simulation took too long. Request fewer iterations or days.')
    : new Problem('upstream_unavailable', 'The client disconnected before the simulation was done.');
}
