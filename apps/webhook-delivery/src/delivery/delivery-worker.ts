import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../clock';
import { WebhookDeliveryConfig } from '../config';
import type { ClaimedDelivery } from './claimed-delivery';
import { DeliveryMetrics } from './delivery-metrics';
import { DeliveryQueue } from './delivery-queue';
import { DeliverySender } from './delivery-sender';
import type { Room } from './lanes';
import { Wakeup } from './wakeup';

/** Claimed and not yet begun, over all endpoints: bounds the memory. */
const MAX_WAITING = 8_000;
/** Kept of the time to stop for writing results and giving deliveries back. */
const RELEASE_TIME_MS = 2_000;
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5_000;
const MEASURE_INTERVAL_MS = 5_000;

/**
 * Claims what is due: for endpoints that run short at once, and by a walk over all of them for retries that came due
 * and for what other instances left.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('deliveries');
  readonly #wakeup = new Wakeup();
  #stopping = false;
  #running: Promise<void> = Promise.resolve();
  #afterWebhookId = '';
  #nextWalkAt = 0;
  #nextMeasureAt = 0;
  #failures = 0;

  constructor(
    private readonly config: WebhookDeliveryConfig,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {
    this.sender.onShort(() => this.#wakeup.signal());
  }

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  /** Waits for what is under way, then interrupts the rest and gives it back; it is sent again under the same id. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping = true;
    this.#wakeup.signal();
    await this.#running;
    await this.sender.stop(Math.max(0, this.config.SHUTDOWN_DEADLINE_MS - RELEASE_TIME_MS));
  }

  /** To be called when deliveries may have come due otherwise than by their time. */
  wake(): void {
    this.#nextWalkAt = 0;
    this.#wakeup.signal();
  }

  /** Deliveries were left in the table for these endpoints, because they had no room. */
  left(endpoints: Iterable<{ webhookId: string; accountId: string }>): void {
    for (const { webhookId, accountId } of endpoints) this.sender.lanes.expectMore(webhookId, accountId);
    this.#wakeup.signal();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#measure();
        const isAgain = await this.#claim();
        this.#failures = 0;
        if (!isAgain) await this.#wakeup.wait(Math.max(1, this.#nextWalkAt - performance.now()));
      } catch (error) {
        this.#failures += 1;
        this.#logger.warn({ msg: 'deliveries cannot be claimed; the database is tried again', err: error });
        const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures);
        await delay(backoffMs * (0.5 + this.clock.random() / 2));
      }
    }
  }

  /** True when there may be more to claim at once. */
  async #claim(): Promise<boolean> {
    const { lanes } = this.sender;
    const limit = MAX_WAITING - lanes.waiting;
    const isWalk = performance.now() >= this.#nextWalkAt;
    const rooms = isWalk ? lanes.rooms : lanes.shortRooms;
    if (isWalk) this.#nextWalkAt = performance.now() + this.config.DELIVERY_POLL_MS;
    if (limit <= 0 || (!isWalk && rooms.length === 0)) return false;
    const nowMs = this.clock.now();
    if (isWalk) await this.queue.takeBack(nowMs, lanes.slow);
    lanes.claiming(rooms.flatMap(({ webhookId, room }) => (room > 0 ? [webhookId] : [])));
    const request = { nowMs, limit, rooms };
    const claimed = isWalk
      ? await this.queue.claimAny(request, lanes.newRoom, this.#afterWebhookId)
      : await this.queue.claim(request);
    this.#take(claimed, rooms, claimed.length >= limit);
    return isWalk ? this.#walkOn(claimed, limit) : true;
  }

  #take(claimed: readonly ClaimedDelivery[], rooms: readonly Room[], isCut: boolean): void {
    const { lanes } = this.sender;
    const counts = new Map<string, { accountId: string; count: number }>();
    for (const { webhookId, accountId } of claimed) {
      counts.set(webhookId, { accountId, count: (counts.get(webhookId)?.count ?? 0) + 1 });
    }
    const roomOf = new Map(rooms.map(({ webhookId, room }) => [webhookId, room]));
    for (const [webhookId, { accountId, count }] of counts) {
      if (count >= (roomOf.get(webhookId) ?? lanes.newRoom)) lanes.expectMore(webhookId, accountId);
    }
    if (isCut) this.left(rooms);
    this.sender.take(claimed);
    lanes.claimed(rooms.map(({ webhookId }) => webhookId));
  }

  /** A walk that was cut goes on behind the endpoint that was served last: none is always served first. */
  #walkOn(claimed: readonly ClaimedDelivery[], limit: number): boolean {
    const wasWhole = this.#afterWebhookId === '' && claimed.length < limit;
    this.#afterWebhookId = claimed.length < limit ? '' : lastWebhookId(claimed);
    if (!wasWhole) this.#nextWalkAt = 0;
    return true;
  }

  async #measure(): Promise<void> {
    if (performance.now() < this.#nextMeasureAt) return;
    this.#nextMeasureAt = performance.now() + MEASURE_INTERVAL_MS;
    this.metrics.oldestDue(await this.queue.oldestDueMs(this.clock.now()));
  }
}

function lastWebhookId(claimed: readonly ClaimedDelivery[]): string {
  return claimed.reduce((last, { webhookId }) => (webhookId > last ? webhookId : last), '');
}
