import { setTimeout as delay } from 'node:timers/promises';
import type { Logger } from '@nestjs/common';

const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5_000;

/** Lets one caller sleep until a signal. A signal before the wait is not lost. */
class Wakeup {
  #signalled = false;
  #wake: (() => void) | undefined;

  signal(): void {
    this.#signalled = true;
    this.#wake?.();
  }

  /** Resolves at the next signal, immediately when one came since the last wait, or after `ms`. */
  async wait(ms: number): Promise<void> {
    if (!this.#signalled) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, ms);
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
    this.#wake = undefined;
    this.#signalled = false;
  }
}

/** How long a loop rests after a step. A wake ends `untilWokenMs` early, and never shortens `pauseMs`. */
export type Rest = { untilWokenMs: number } | { pauseMs: number };

/** Repeats a step until it is stopped. A failed step is logged and repeated after a growing delay. */
export class WorkLoop {
  readonly #wakeup = new Wakeup();
  #isStopping = false;
  #running: Promise<void> = Promise.resolve();
  #failures = 0;

  /**
   * @param failure log message of a failed step, which states what is not done now
   * @param random returns a number in [0, 1)
   */
  constructor(
    private readonly logger: Logger,
    private readonly failure: string,
    private readonly random: () => number,
  ) {}

  start(step: () => Promise<Rest>): void {
    this.#running = this.#run(step);
  }

  /** Resolves when the present step has ended. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    this.#wakeup.signal();
    await this.#running;
  }

  wake(): void {
    this.#wakeup.signal();
  }

  async #run(step: () => Promise<Rest>): Promise<void> {
    while (!this.#isStopping) {
      try {
        const rest = await step();
        this.#failures = 0;
        if ('pauseMs' in rest) await delay(rest.pauseMs);
        else if (rest.untilWokenMs > 0) await this.#wakeup.wait(rest.untilWokenMs);
      } catch (error) {
        this.#failures += 1;
        this.logger.warn({ msg: `${this.failure}; the next attempt follows`, err: error });
        const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures);
        await delay(backoffMs * (0.5 + this.random() / 2));
      }
    }
  }
}
