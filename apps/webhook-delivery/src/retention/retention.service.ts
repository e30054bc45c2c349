import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock, PeriodicService } from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';
import { RetentionRepository } from './retention.repository';

const DAY_MS = 86_400_000;
const EVERY_MS = 10 * 60_000;
const BATCH_ROWS = 1_000;
/** Leaves the database to deliveries between two batches. */
const PAUSE_MS = 50;
/** A table with millions of old rows. */
const ROUND_DEADLINE_MS = 60 * 60_000;

/** Numbers of rows that a round deleted. */
export interface Removed {
  deliveries: number;
  webhooks: number;
  secrets: number;
}

/** Deletes old rows about every ten minutes, at a random moment for each instance. */
@Injectable()
export class RetentionService extends PeriodicService {
  readonly #logger = new Logger('retention');

  constructor(
    private readonly rows: RetentionRepository,
    private readonly config: WebhookDeliveryConfig,
    private readonly clock: Clock,
  ) {
    super({
      name: 'retention',
      everyMs: EVERY_MS,
      failure: 'cannot delete old rows; the next attempt is in ten minutes',
      deadlineMs: ROUND_DEADLINE_MS,
      waitsFirst: true,
      random: () => clock.random(),
    });
  }

  protected async round(signal: AbortSignal): Promise<void> {
    const removed = await this.clean(signal);
    this.#logger.debug({ msg: 'old rows were deleted', ...removed });
  }

  /** Deletes in batches until nothing old is left or the signal is aborted. */
  async clean(signal?: AbortSignal): Promise<Removed> {
    const nowMs = this.clock.now();
    const beforeMs = nowMs - this.config.DELIVERY_RETENTION_DAYS * DAY_MS;
    return {
      deliveries: await this.#inBatches((limit) => this.rows.deleteDeliveries(beforeMs, limit), signal),
      webhooks: await this.#inBatches((limit) => this.rows.deleteWebhooks(beforeMs, limit), signal),
      secrets: await this.#inBatches((limit) => this.rows.forgetSecrets(nowMs, limit), signal),
    };
  }

  async #inBatches(remove: (limit: number) => Promise<number>, signal?: AbortSignal): Promise<number> {
    let total = 0;
    for (;;) {
      const removed = await remove(BATCH_ROWS);
      total += removed;
      if (removed < BATCH_ROWS) return total;
      await delay(PAUSE_MS, undefined, { signal, ref: false }).catch(() => undefined);
      if (signal?.aborted) return total;
    }
  }
}
