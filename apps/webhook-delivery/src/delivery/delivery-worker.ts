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
import { WorkLoop } from './work-loop';

/** Most claimed deliveries of all endpoints that have not begun. It bounds the memory. */
const MAX_WAITING = 8_000;
/** Part of the stop time reserved for writing results and releasing deliveries. */
const RELEASE_TIME_MS = 2_000;
const MEASURE_INTERVAL_MS = 5_000;

/**
 * Claims due deliveries: immediately for endpoints that run short, and by a walk over all endpoints for due
 * retries and for rows that other instances left.
 */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #loop: WorkLoop;
  #afterWebhookId = '';
  #nextWalkAt = 0;
  #nextMeasureAt = 0;

  constructor(
    private readonly config: WebhookDeliveryConfig,
    private readonly queue: DeliveryQueue,
    private readonly sender: DeliverySender,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {
    const logger = new Logger('deliveries');
    this.#loop = new WorkLoop(logger, 'cannot claim deliveries', () => this.clock.random());
    this.sender.onShort(() => this.#loop.wake());
  }

  onApplicationBootstrap(): void {
    this.#loop.start(async () => {
      await this.#measure();
      const isAgain = await this.#claim();
      return { untilWokenMs: isAgain ? 0 : Math.max(1, this.#nextWalkAt - performance.now()) };
    });
  }

  /**
   * Waits for attempts in flight, then interrupts and releases the rest. They are sent again under the same
   * id.
   */
  async beforeApplicationShutdown(): Promise<void> {
    await this.#loop.stop();
    await this.sender.stop(Math.max(0, this.config.SHUTDOWN_DEADLINE_MS - RELEASE_TIME_MS));
  }

  /** Call it when deliveries may have become due for another reason than their time. */
  wake(): void {
    this.#nextWalkAt = 0;
    this.#loop.wake();
  }

  /** Deliveries of these endpoints stay in the table, because the endpoints have no capacity. */
  left(endpoints: Iterable<{ webhookId: string; accountId: string }>): void {
    for (const { webhookId, accountId } of endpoints) this.sender.queues.expectMore(webhookId, accountId);
    this.#loop.wake();
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
