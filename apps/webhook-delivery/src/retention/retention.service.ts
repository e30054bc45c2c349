import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../clock';
import { WebhookDeliveryConfig } from '../config';
import { RetentionRepository } from './retention.repository';

const DAY_MS = 86_400_000;
const EVERY_MS = 10 * 60_000;
const BATCH_ROWS = 1_000;
/** Leaves the database to deliveries between two batches. */
const PAUSE_MS = 50;

/** Numbers of rows that a round deleted. */
export interface Removed {
  deliveries: number;
  webhooks: number;
  secrets: number;
}

/** Deletes old rows about every ten minutes, at a random moment for each instance. */
@Injectable()
export class RetentionService implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('retention');
  readonly #stop = new AbortController();
  #running: Promise<void> = Promise.resolve();

  constructor(
    private readonly rows: RetentionRepository,
    private readonly config: WebhookDeliveryConfig,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  async onApplicationShutdown(): Promise<void> {
    this.#stop.abort();
    await this.#running;
  }

  /** Runs one round, to its end or to the stop of the service. */
  async clean(): Promise<Removed> {
    const nowMs = this.clock.now();
    const beforeMs = nowMs - this.config.DELIVERY_RETENTION_DAYS * DAY_MS;
    return {
      deliveries: await this.#inBatches((limit) => this.rows.deleteDeliveries(beforeMs, limit)),
      webhooks: await this.#inBatches((limit) => this.rows.deleteWebhooks(beforeMs, limit)),
      secrets: await this.#inBatches((limit) => this.rows.forgetSecrets(nowMs, limit)),
    };
  }

  async #run(): Promise<void> {
    while (await this.#pause(EVERY_MS * (0.5 + this.clock.random()))) {
      try {
        const removed = await this.clean();
        this.#logger.debug({ msg: 'old rows were deleted', ...removed });
      } catch (error) {
        this.#logger.warn({
          msg: 'cannot delete old rows; the next attempt is in ten minutes',
          err: error,
        });
      }
    }
  }

  async #inBatches(remove: (limit: number) => Promise<number>): Promise<number> {
    let total = 0;
    do {
      const removed = await remove(BATCH_ROWS);
      total += removed;
      if (removed < BATCH_ROWS) return total;
    } while (await this.#pause(PAUSE_MS));
    return total;
  }

  /** Returns false when the service stops. */
  async #pause(ms: number): Promise<boolean> {
    const { signal } = this.#stop;
    await delay(ms, undefined, { signal, ref: false }).catch(() => undefined);
    return !signal.aborted;
  }
}
