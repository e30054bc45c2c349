import { setTimeout as delay } from 'node:timers/promises';
import { Logger } from '@nestjs/common';
import { within } from '../concurrency/within';

const DEADLINE_MS = 60_000;

/** What is done again and again. */
export interface PeriodicTaskOptions {
  /** In the log. */
  name: string;
  /**
   * Mean wait between the end of a round and the beginning of the next, milliseconds: each is up to half of it shorter or
   * longer, so that instances do not all work at once.
   */
  everyMs: number;
  /**
   * One round. True: there is more to do, and the next begins at once. The signal is aborted when the task stops, and at the
   * deadline of the round.
   */
  round(signal: AbortSignal): Promise<boolean | void>;
  /** Logged when a round fails: what is not done now, and when it is tried again. */
  failure: string;
  /** A round that takes longer has failed, and is not waited for: the next may begin beside it. Default: a minute. */
  deadlineMs?: number;
  /** Whether the first round waits as all others do; default: it begins at the start. */
  waitsFirst?: boolean;
  /** In [0, 1). */
  random?: () => number;
}

/** Work that a service does again and again in the background. A round that fails is logged and ends nothing. */
export class PeriodicTask {
  readonly #logger: Logger;
  #stopping = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(private readonly options: PeriodicTaskOptions) {
    this.#logger = new Logger(options.name);
  }

  /** To be called once, or again after a stop. */
  start(): void {
    this.#stopping = new AbortController();
    this.#running = this.#run(this.#stopping.signal);
  }

  /** No round begins any more. Resolves when the one in work has ended, or is past its deadline. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(signal: AbortSignal): Promise<void> {
    if (this.options.waitsFirst) await this.#wait(signal);
    while (!signal.aborted) {
      const isMore = await this.#round(signal);
      if (!isMore) await this.#wait(signal);
    }
  }

  async #round(signal: AbortSignal): Promise<boolean> {
    const { round, failure, deadlineMs = DEADLINE_MS } = this.options;
    // No timeout signal: of a round a second, each would be kept for a minute.
    const deadline = new AbortController();
    const late = (): Error => {
      deadline.abort();
      return new Error(`not done within ${deadlineMs} ms`);
    };
    try {
      const isMore = await within(deadlineMs, round(AbortSignal.any([signal, deadline.signal])), late);
      return isMore === true;
    } catch (error) {
      if (!signal.aborted) this.#logger.warn({ msg: failure, err: error });
      return false;
    }
  }

  async #wait(signal: AbortSignal): Promise<void> {
    const { everyMs, random = Math.random } = this.options;
    await delay(everyMs * (0.5 + random()), undefined, { signal, ref: false }).catch(() => undefined);
  }
}
