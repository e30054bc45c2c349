import { type EventTopic, isDependencyFailure } from '@plimsoll/contracts';
import { backoffMs, pause } from '../backoff';
import type { EventBusOptions } from '../options';
import type { DeadLetter, DeadLetters } from './dead-letters';
import type { EventBatch, ReceivedEvent } from './event-batch';
import { insertNew } from './inbox';
import type { ParsedMessage } from './parse-event';
import { inTransaction } from './transaction';

const HANDLER_TIMEOUT_MS = 30_000;
const RETRIES = 3;
const RETRY_BASE_MS = 50;
const RETRY_CAP_MS = 1_000;

/** The run of one batch of a partition. */
export interface BatchRun {
  topic: EventTopic;
  partition: number;
  handle(batch: EventBatch<unknown>): Promise<void>;
  /** Reports that every event up to and including this offset is done. */
  done(offset: string): void;
  /** Throws when the run must stop between two transactions. */
  guard(): void;
  /** Aborted when the service stops. */
  signal: AbortSignal;
}

/**
 * Handles items in order, in one transaction for all of them. When that fails and no dependency is
 * unavailable, it halves the batch until it finds the failing event. After its retries that event becomes a
 * dead letter, and the others continue.
 */
export class BatchRunner {
  constructor(
    private readonly options: EventBusOptions,
    private readonly deadLetters: DeadLetters,
  ) {}

  /**
   * Rejects with the dependency's failure, or with the error of `guard`. Items that were reported as done
   * stay done.
   */
  async run(run: BatchRun, items: readonly ParsedMessage<unknown>[]): Promise<void> {
    run.guard();
    const failure = await this.#attempt(run, items);
    if (failure === undefined) return this.#finish(run, items);
    const first = items.findIndex(({ event }) => event);
    const last = items.findLastIndex(({ event }) => event);
    if (first === last) return this.#runOne(run, items, failure);
    const middle = Math.ceil((first + last) / 2);
    await this.run(run, items.slice(0, middle));
    await this.run(run, items.slice(middle));
  }

  /** `items` contain one event, and messages that are not events. */
  async #runOne(run: BatchRun, items: readonly ParsedMessage<unknown>[], firstFailure: Error): Promise<void> {
    let failure: Error | undefined = firstFailure;
    for (let retry = 1; retry <= RETRIES; retry += 1) {
      await pause(
        backoffMs(retry, RETRY_BASE_MS, RETRY_CAP_MS, this.options.random ?? Math.random),
        run.signal,
      );
      run.guard();
      failure = await this.#attempt(run, items);
      if (failure === undefined) return this.#finish(run, items);
    }
    await this.#finish(run, items, failure);
  }

  /** Returns the handler's failure, or undefined after the commit. */
  async #attempt(run: BatchRun, items: readonly ParsedMessage<unknown>[]): Promise<Error | undefined> {
    const {
      pool,
      groupId,
      inbox = true,
      handlerTimeoutMs = HANDLER_TIMEOUT_MS,
      now = Date.now,
      metrics,
    } = this.options;
    const events = eventsOf(items);
    if (events.length === 0) return undefined;
    const startedAt = now();
    let handled = 0;
    const committed: (() => void)[] = [];
    const afterCommit = (work: () => void): void => void committed.push(work);
    try {
      await inTransaction(pool, handlerTimeoutMs, async (tx) => {
        const fresh = inbox ? await insertNew(tx, groupId, events) : events;
        handled = fresh.length;
        if (handled === 0) return;
        await run.handle({ topic: run.topic, partition: run.partition, events: fresh, tx, afterCommit });
      });
    } catch (error) {
      if (isDependencyFailure(error)) throw error;
      return error instanceof Error ? error : new Error(String(error));
    }
    for (const work of committed) work();
    metrics?.handled?.(run.topic, handled, now() - startedAt);
    return undefined;
  }

  /** Sends messages that are not events, and an event that finally failed, to the dead-letter topic. */
  async #finish(run: BatchRun, items: readonly ParsedMessage<unknown>[], failure?: Error): Promise<void> {
    const letters: DeadLetter[] = [];
    for (const { message, event, reason } of items) {
      const { partition } = run;
      if (!event) letters.push({ message, partition, error: reason, attempts: 0 });
      else if (failure) letters.push({ message, partition, error: describe(failure), attempts: RETRIES + 1 });
    }
    if (letters.length > 0) await this.deadLetters.store(run.topic, letters);
    const last = items.at(-1);
    if (last) run.done(last.message.offset);
  }
}

function eventsOf(items: readonly ParsedMessage<unknown>[]): ReceivedEvent<unknown>[] {
  const events: ReceivedEvent<unknown>[] = [];
  for (const { event } of items) if (event) events.push(event);
  return events;
}

function describe(error: Error): string {
  return `${error.name}: ${error.message}`;
}
