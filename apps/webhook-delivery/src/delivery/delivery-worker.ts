import { setTimeout as delay } from 'node:timers/promises';
import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { Clock } from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';
import type { ClaimedDelivery } from './claimed-delivery';
import { DeliveryMetrics } from './delivery-metrics';
import { DeliveryQueue } from './delivery-queue';
import { DeliverySender } from './delivery-sender';
import type { EndpointCapacity } from './endpoint-queues';
import { Wakeup } from './wakeup';

/** Most claimed deliveries of all endpoints that have not begun. It bounds the memory. */
const MAX_WAITING = 8_000;
/** Part of the stop time reserved for writing results and releasing deliveries. */
const RELEASE_TIME_MS = 2_000;
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5_000;
const MEASURE_INTERVAL_MS = 5_000;

/**
 * Claims due deliveries: immediately for endpoints that run short, and by a walk over all endpoints for due
 * retries and for rows that other instances left.
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

  /**
   * Waits for attempts in flight, then interrupts and releases the rest. They are sent again under the same
   * id.
   */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping = true;
    this.#wakeup.signal();
    await this.#running;
    await this.sender.stop(Math.max(0, this.config.SHUTDOWN_DEADLINE_MS - RELEASE_TIME_MS));
  }

  /** Call it when deliveries may have become due for another reason than their time. */
  wake(): void {
    this.#nextWalkAt = 0;
    this.#wakeup.signal();
  }

  /** Deliveries of these endpoints stay in the table, because the endpoints have no capacity. */
  left(endpoints: Iterable<{ webhookId: string; accountId: string }>): void {
    for (const { webhookId, accountId } of endpoints) this.sender.queues.expectMore(webhookId, accountId);
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
        this.#logger.warn({ msg: 'cannot claim deliveries; the next attempt follows', err: error });
        const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures);
        await delay(backoffMs * (0.5 + this.clock.random() / 2));
      }
    }
  }

  /** Returns true when there may be more to claim immediately. */
  async #claim(): Promise<boolean> {
    const { queues } = this.sender;
    const limit = MAX_WAITING - queues.waiting;
    const isWalk = performance.now() >= this.#nextWalkAt;
    const capacities = isWalk ? queues.capacities : queues.shortCapacities;
    if (isWalk) this.#nextWalkAt = performance.now() + this.config.DELIVERY_POLL_MS;
    if (limit <= 0 || (!isWalk && capacities.length === 0)) return false;
    const nowMs = this.clock.now();
    if (isWalk) await this.queue.reclaim(nowMs, queues.slow);
    queues.claiming(capacities.flatMap(({ webhookId, capacity }) => (capacity > 0 ? [webhookId] : [])));
    const request = { nowMs, limit, capacities };
    const claimed = isWalk
      ? await this.queue.claimAny(request, queues.newEndpointCapacity, this.#afterWebhookId)
      : await this.queue.claim(request);
    this.#take(claimed, capacities, claimed.length >= limit);
    queues.claimed(
      capacities.map(({ webhookId }) => webhookId),
      this.clock.now(),
    );
    return isWalk ? this.#walkOn(claimed, limit) : true;
  }

  #take(claimed: readonly ClaimedDelivery[], capacities: readonly EndpointCapacity[], isCut: boolean): void {
    const { queues } = this.sender;
    const counts = new Map<string, { accountId: string; count: number }>();
    for (const { webhookId, accountId } of claimed) {
      counts.set(webhookId, { accountId, count: (counts.get(webhookId)?.count ?? 0) + 1 });
    }
    const capacityOf = new Map(capacities.map(({ webhookId, capacity }) => [webhookId, capacity]));
    for (const [webhookId, { accountId, count }] of counts) {
      if (count >= (capacityOf.get(webhookId) ?? queues.newEndpointCapacity))
        queues.expectMore(webhookId, accountId);
    }
    if (isCut) this.left(capacities);
    this.sender.take(claimed);
  }

  /**
   * A walk that was cut off continues after the endpoint that it served last, so that no endpoint is always
   * first.
   */
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
