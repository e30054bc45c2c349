import { setTimeout as delay } from 'node:timers/promises';
import { Logger, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { within } from '../concurrency/within';

const DEADLINE_MS = 60_000;

/** Whether there is more to do, or the exact number of milliseconds until the next round. */
export type RoundResult = boolean | void | { nextInMs: number };

/** How a periodic task runs. */
export interface PeriodicTaskOptions {
  /** Name in the log. */
  name: string;
  /**
   * Mean delay in milliseconds between the end of a round and the start of the next. Each delay is up to half
   * shorter or longer, so that instances do not all work at the same time.
   */
  everyMs: number;
  /**
   * Runs one round. Returns true when there is more to do; the next round then begins immediately. It may instead state
   * when the next one begins. The signal is aborted when the task stops and at the deadline of the round.
   */
  round(signal: AbortSignal): Promise<RoundResult>;
  /** Log message for a failed round. It states what is not done now and when the task tries again. */
  failure: string;
  /**
   * A round that takes longer counts as failed. The task does not wait for it, so the next round may overlap
   * it. The default is one minute.
   */
  deadlineMs?: number;
  /** Whether the first round also waits. The default starts it at once. */
  waitsFirst?: boolean;
  /** Returns a number in [0, 1). */
  random?: () => number;
}

/** Repeats work in the background. A failed round is logged and does not end the task. */
export class PeriodicTask {
  readonly #logger: Logger;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PeriodicTaskOptions) {
    this.#logger = new Logger(options.name);
  }

  /** Call once, or again after a stop. */
  start(): void {
    this.#stopping = new AbortController();
    this.#running = this.#run(this.#stopping.signal);
  }

  /** Begins no further round. Resolves when the current round ends or passes its deadline. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    if (this.options.waitsFirst) await this.#wait(signal);
    while (!signal.aborted) {
      const result = await this.#round(signal);
      if (typeof result === 'object') await pause(result.nextInMs, signal);
      else if (!result) await this.#wait(signal);
    }
  }

  async #round(signal: AbortSignal): Promise<RoundResult> {
    const { round, failure, deadlineMs = DEADLINE_MS } = this.options;
    // A timeout signal would stay in memory for its full minute. With one round a second, sixty would
    // accumulate.
    const deadline = new AbortController();
    const late = (): Error => {
      deadline.abort();
      return new Error(`not done within ${deadlineMs} ms`);
    };
    try {
      return await within(deadlineMs, round(AbortSignal.any([signal, deadline.signal])), late);
    } catch (error) {
      if (!signal.aborted) this.#logger.warn({ msg: failure, err: error });
      return false;
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { everyMs, random = Math.random } = this.options;
    await pause(everyMs * (0.5 + random()), signal);
  }
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
}

/**
 * A provider that repeats its `round` from the application's bootstrap to its shutdown: a poller or a
 * cleaner. Decorate the subclass with `@Injectable()`.
 */
export abstract class PeriodicService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #task: PeriodicTask;

  constructor(options: Omit<PeriodicTaskOptions, 'round'>) {
    this.#task = new PeriodicTask({ ...options, round: (signal) => this.round(signal) });
  }

  onApplicationBootstrap(): void {
    this.#task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#task.stop();
  }

  /** As `round` of PeriodicTaskOptions. */
  protected abstract round(signal: AbortSignal): Promise<RoundResult>;
}
