import type { EventBusOptions } from '../options';
import { cleanInbox } from './inbox';

const EVERY_MS = 10 * 60_000;
const RETENTION_MS = 8 * 86_400_000;

/** Deletes old inbox rows about every ten minutes, at a random moment for each instance. */
export class InboxCleaner {
  #timer: NodeJS.Timeout | undefined;

  constructor(private readonly options: EventBusOptions) {}

  start(): void {
    if (this.options.inbox === false || this.#timer) return;
    const waitMs = EVERY_MS * (0.5 + (this.options.random ?? Math.random)());
    this.#timer = setTimeout(() => void this.#clean(), waitMs).unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  async #clean(): Promise<void> {
    const { pool, logger, inboxRetentionMs = RETENTION_MS } = this.options;
    try {
      const deleted = await cleanInbox(pool, inboxRetentionMs);
      logger.debug({ deleted }, 'old inbox rows were deleted');
    } catch (error) {
      logger.warn({ err: error }, 'cannot delete old inbox rows; the next attempt is in ten minutes');
    }
    if (this.#timer) {
      this.#timer = undefined;
      this.start();
    }
  }
}
