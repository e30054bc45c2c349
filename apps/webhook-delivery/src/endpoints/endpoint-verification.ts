import { Injectable, Logger, type OnApplicationBootstrap } from '@nestjs/common';
import { Clock, type Commit, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { DeliverySender } from '../delivery/delivery-sender';
import { TestDeliveryService } from './test-delivery.service';

/** Milliseconds between two pings to one endpoint from this process. */
const PING_INTERVAL_MS = 60_000;
/** Endpoints whose last ping is remembered. The oldest is forgotten first. */
const MAX_REMEMBERED = 10_000;

/**
 * Sends test.ping to an endpoint that has more events than an unverified one may receive. Its events wait
 * until it responds with 2xx.
 */
@Injectable()
export class EndpointVerification implements OnApplicationBootstrap {
  readonly #logger = new Logger('endpoints');
  readonly #pingedAtMs = new Map<string, number>();

  constructor(
    private readonly sender: DeliverySender,
    private readonly tests: TestDeliveryService,
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.sender.onUnverified(({ webhookId, accountId }) => void this.#ping(accountId, webhookId));
  }

  async #ping(accountId: string, webhookId: string): Promise<void> {
    const nowMs = this.clock.now();
    if (nowMs - (this.#pingedAtMs.get(webhookId) ?? -Infinity) < PING_INTERVAL_MS) return;
    this.#remember(webhookId, nowMs);
    try {
      const commit: Commit = async (effect) => ({ committed: await inTransaction(this.pool, effect) });
      await this.tests.send(accountId, webhookId, 'test.ping', commit);
    } catch (error) {
      this.#logger.warn({
        msg: 'cannot verify an endpoint; the next attempt follows in a minute',
        webhookId,
        err: error,
      });
    }
  }

  #remember(webhookId: string, nowMs: number): void {
    this.#pingedAtMs.delete(webhookId);
    this.#pingedAtMs.set(webhookId, nowMs);
    const [oldest] = this.#pingedAtMs.keys();
    if (this.#pingedAtMs.size > MAX_REMEMBERED && oldest !== undefined) this.#pingedAtMs.delete(oldest);
  }
}
