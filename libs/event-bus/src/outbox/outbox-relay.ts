import type { OnApplicationBootstrap, OnApplicationShutdown } from '@nestjs/common';
import { backoffMs, pause, within } from '../backoff';
import { showHealth, type BusHealth, type EventBusOptions } from '../options';
import { OutboxSession } from './outbox-session';
import { deleteFromOutbox, measureOutbox, readOutbox, type OutboxRow } from './outbox-rows';
import { RelayProducer } from './relay-producer';

/** Interval of the checks for rows behind an open transaction. Notifications cannot report when that ends. */
const HELD_BACK_POLL_MS = 5;
/** For a lost notification, which is rare: a broken connection starts a new session, and that reads the table first. */
const SAFETY_POLL_MS = 5_000;
const LEAD_TRY_MS = 1_000;
const MEASURE_MS = 1_000;
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5_000;
const STOP_TIMEOUT_MS = 5_000;

/**
 * Publishes the rows of the outbox. One instance of a service leads, the others wait. The leader reads in
 * id order behind a guard against gaps, sends, and deletes acknowledged rows. While the broker is
 * unavailable, the rows stay in the table, and memory does not grow.
 *
 * At least once: after a crash between acknowledgement and delete, rows are sent again with the same event
 * ids.
 */
export class OutboxRelay implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #stop = new AbortController();
  readonly #producer: RelayProducer;
  #session: OutboxSession | undefined;
  #leading = false;
  #running: Promise<void> | undefined;
  #failure: string | undefined;
  #measuredAt = 0;

  constructor(
    private readonly options: EventBusOptions,
    private readonly safetyPollMs = SAFETY_POLL_MS,
  ) {
    this.#producer = new RelayProducer(options);
  }

  onApplicationBootstrap(): void {
    this.start();
  }

  async onApplicationShutdown(): Promise<void> {
    await this.stop();
  }

  /** Returns immediately. Leads as soon as no other instance does. */
  start(): void {
    showHealth(this.options.health, 'outbox', this);
    this.#running ??= this.#run();
  }

  /**
   * Finishes the request in flight, for at most five seconds. The remaining rows stay in the table for the
   * next leader.
   */
  async stop(): Promise<void> {
    this.#stop.abort();
    this.#session?.wake();
    const finished = Promise.resolve(this.#running);
    await within(STOP_TIMEOUT_MS, finished, () => new Error('the relay did not stop in time')).catch(() =>
      this.#producer.cut(),
    );
  }

  /** True on the one instance that publishes. */
  get leading(): boolean {
    return this.#leading && this.#session?.isOpen === true;
  }

  /** Not ok while events cannot be published. They wait in the table. */
  health(): BusHealth {
    if (this.#failure !== undefined) return { ok: false, detail: this.#failure };
    return { ok: true, detail: this.leading ? 'leading' : 'standing by' };
  }

  get #stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  async #run(): Promise<void> {
    for (let attempt = 0; !this.#stopping;) {
      try {
        this.#session = await OutboxSession.open(this.options.pool, () => this.#producer.cut());
        attempt = 0;
        await this.#lead(this.#session);
      } catch (error) {
        attempt += 1;
        this.#report(error, 'the outbox cannot be read; the database is tried again');
        await this.#backOff(attempt);
      } finally {
        this.#leading = false;
        this.#session?.close();
        this.#session = undefined;
      }
    }
    await this.#producer.close().catch(() => this.#producer.cut());
  }

  /**
   * Waits while another instance leads, then publishes until the service stops or the connection breaks.
   */
  async #lead(session: OutboxSession): Promise<void> {
    while (!(await session.acquireLeadership())) {
      this.#failure = undefined;
      await pause(LEAD_TRY_MS * (0.5 + this.#random()), this.#stop.signal);
      if (this.#stopping) return;
    }
    this.#leading = true;
    this.options.logger.info({}, 'this instance publishes the outbox');
    for (let attempt = 0; !this.#stopping;) {
      await this.#measure(session);
      const { rows, heldBack } = await readOutbox(session);
      if (rows.length === 0) {
        this.#failure = undefined;
        await session.appended(heldBack ? HELD_BACK_POLL_MS : this.safetyPollMs);
      } else if (await this.#publish(rows)) {
        attempt = 0;
        await deleteFromOutbox(session, rows);
        this.#count(rows);
      } else {
        attempt += 1;
        await this.#backOff(attempt);
      }
    }
  }

  async #publish(rows: readonly OutboxRow[]): Promise<boolean> {
    try {
      await this.#producer.publish(rows);
      this.#failure = undefined;
      return true;
    } catch (error) {
      this.#report(error, 'events cannot be published; they wait in the outbox and are tried again');
      return false;
    }
  }

  #count(rows: readonly OutboxRow[]): void {
    const counts = new Map<string, number>();
    for (const { topic } of rows) counts.set(topic, (counts.get(topic) ?? 0) + 1);
    for (const [topic, count] of counts) this.options.metrics?.published?.(topic, count);
  }

  async #measure(session: OutboxSession): Promise<void> {
    const now = (this.options.now ?? Date.now)();
    if (!this.options.metrics?.outbox || now - this.#measuredAt < MEASURE_MS) return;
    this.#measuredAt = now;
    const { rows, oldestAgeMs } = await measureOutbox(session);
    this.options.metrics.outbox(rows, oldestAgeMs);
  }

  async #backOff(attempt: number): Promise<void> {
    await pause(
      backoffMs(attempt, BACKOFF_BASE_MS, BACKOFF_CAP_MS, () => this.#random()),
      this.#stop.signal,
    );
  }

  #random(): number {
    return (this.options.random ?? Math.random)();
  }

  #report(error: unknown, message: string): void {
    this.#failure = `${message}: ${error instanceof Error ? error.message : String(error)}`;
    this.options.logger.warn({ err: error }, message);
  }
}
