import type { EventTopic } from '@plimsoll/contracts';
import { backoffMs } from '../backoff';
import type { EventBusOptions } from '../options';

const PAUSE_BASE_MS = 250;
const PAUSE_CAP_MS = 15_000;

/** Topics that wait for a dependency, each with its own backoff. */
export class TopicPauses {
  readonly #failures = new Map<EventTopic, number>();
  readonly #timers = new Map<EventTopic, NodeJS.Timeout>();

  constructor(private readonly options: EventBusOptions) {}

  isPaused(topic: EventTopic): boolean {
    return this.#timers.has(topic);
  }

  /** Runs `resume` after a delay that grows with every failure since the last success. */
  pause(topic: EventTopic, error: unknown, resume: () => void): void {
    const failures = (this.#failures.get(topic) ?? 0) + 1;
    this.#failures.set(topic, failures);
    const pauseMs = backoffMs(failures, PAUSE_BASE_MS, PAUSE_CAP_MS, this.options.random ?? Math.random);
    const timer = setTimeout(() => {
      this.#timers.delete(topic);
      resume();
    }, pauseMs);
    this.#timers.set(topic, timer);
    this.options.metrics?.paused?.(topic, pauseMs);
    this.options.logger.warn(
      { topic, pauseMs, failures, err: error },
      'a dependency is unavailable: the topic is paused',
    );
  }

  succeeded(topic: EventTopic): void {
    this.#failures.delete(topic);
  }

  /** Topics whose last attempt failed. */
  failing(): EventTopic[] {
    return [...this.#failures.keys()];
  }

  clear(): void {
    for (const timer of this.#timers.values()) clearTimeout(timer);
    this.#timers.clear();
  }
}
