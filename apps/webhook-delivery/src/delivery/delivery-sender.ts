import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';
import { HttpSender } from '../outgoing/http-sender';
import type { SentResult } from './attempt-result';
import { AttemptService } from './attempt.service';
import type { ClaimedDelivery } from './claimed-delivery';
import { concludeAttempt, isSuccess } from './conclude-attempt';
import { IntakePressure } from './intake-pressure';
import { DeliveryMetrics } from './delivery-metrics';
import { DeliveryQueue } from './delivery-queue';
import { EndpointQueues } from './endpoint-queues';
import { outlastsAttempt } from './lease';
import { ResultWriter } from './result-writer';

/** Requests per second to one endpoint while intake pressure is high. */
const PER_SECOND_UNDER_PRESSURE = 3_000;
const STOP_POLL_MS = 10;
const SKIPPED = { state: 'skipped', sent: null, nextAttemptAtMs: null, isEndpointDeleted: false } as const;

/** Sends claimed deliveries within the bounds of their queues, and passes on the results. */
@Injectable()
export class DeliverySender {
  readonly queues: EndpointQueues;
  readonly #logger = new Logger('deliveries');
  readonly #intakePressure = new IntakePressure();
  readonly #unsent: ClaimedDelivery[] = [];
  #sending = 0;
  #stopping = false;
  #onShort: () => void = () => undefined;
  #onUnverified: (endpoint: { webhookId: string; accountId: string }) => void = () => undefined;

  constructor(
    config: WebhookDeliveryConfig,
    private readonly queue: DeliveryQueue,
    private readonly attempts: AttemptService,
    private readonly results: ResultWriter,
    private readonly http: HttpSender,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {
    const limits = {
      total: config.DELIVERY_CONCURRENCY,
      perAccount: config.DELIVERY_CONCURRENCY_PER_ACCOUNT,
      perEndpoint: config.DELIVERY_CONCURRENCY_PER_ENDPOINT,
      perSecond: config.DELIVERY_RATE_PER_ENDPOINT,
      perSecondUnderPressure: Math.min(config.DELIVERY_RATE_PER_ENDPOINT, PER_SECOND_UNDER_PRESSURE),
    };
    const later = (ms: number, work: () => void): void => {
      setTimeout(() => {
        work();
        this.#sendReady();
      }, ms);
    };
    this.queues = new EndpointQueues(limits, later, (endpoint) => this.#onUnverified(endpoint));
    this.metrics.watch(() => this.queues);
    this.results.start((count) => {
      this.queues.settled(count);
      this.#sendReady();
    });
  }

  /** @param work called when an endpoint has capacity for more deliveries than were claimed for it */
  onShort(work: () => void): void {
    this.#onShort = work;
  }

  /** @param work called when an endpoint must respond to test.ping before it receives more events */
  onUnverified(work: (endpoint: { webhookId: string; accountId: string }) => void): void {
    this.#onUnverified = work;
  }

  /** Lets an endpoint that was verified receive its waiting deliveries. */
  verified(webhookId: string): void {
    this.queues.verified(webhookId);
    this.#sendReady();
  }

  /** Counts a batch of this many events for endpoints toward intake pressure. */
  recordIntake(events: number): void {
    this.#intakePressure.record(events, this.clock.now());
  }

  /** True while more events arrive than are handled. */
  get isIntakePressureHigh(): boolean {
    return this.#intakePressure.isHigh(this.clock.now());
  }

  /** Returns how many new deliveries of an endpoint may be claimed when they are inserted. */
  insertCapacity(webhookId: string): number {
    return this.#stopping ? 0 : this.queues.insertCapacity(webhookId);
  }

  /** Returns how many deliveries of an endpoint may wait under one lease. */
  leaseSize(webhookId: string): number {
    return this.queues.leaseSize(webhookId);
  }

  take(deliveries: readonly ClaimedDelivery[]): void {
    if (this.#stopping) void this.#release(deliveries);
    for (const delivery of this.#stopping ? [] : deliveries) this.queues.add(delivery);
    this.#sendReady();
  }

  /**
   * Waits for attempts in flight, interrupts them after `graceMs`, and returns unsent deliveries to the
   * queue.
   */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#unsent.push(...this.queues.clear());
    const cut = setTimeout(() => this.http.interrupt(), graceMs);
    while (this.#sending > 0) await delay(STOP_POLL_MS);
    clearTimeout(cut);
    await this.results.drained();
    await this.#release(this.#unsent);
  }

  #sendReady(): void {
    const nowMs = this.clock.now();
    const isPressureHigh = this.#intakePressure.isHigh(nowMs);
    for (
      let next = this.queues.next(nowMs, isPressureHigh);
      next;
      next = this.queues.next(nowMs, isPressureHigh)
    ) {
      this.#start(next, nowMs);
    }
  }

  #start(delivery: ClaimedDelivery, nowMs: number): void {
    if (!delivery.target.isOpen) {
      this.queues.ended(delivery, null, this.clock.now());
      this.results.write({ delivery, attempts: delivery.attempts, atMs: nowMs, ...SKIPPED });
    } else if (!outlastsAttempt(delivery.lease, nowMs)) {
      this.queues.ended(delivery, null, this.clock.now());
      this.queues.settled(1);
      this.queues.expectMore(delivery.webhookId, delivery.accountId);
      void this.#release([delivery]);
    } else {
      this.metrics.began(nowMs - delivery.dueAtMs);
      this.#sending += 1;
      this.attempts.send(delivery, delivery.target, delivery.attempts + 1).then(
        (sent) => this.#ended(delivery, sent),
        (error: Error) => this.#broke(delivery, error),
      );
    }
  }

  #ended(delivery: ClaimedDelivery, sent: SentResult): void {
    this.#sending -= 1;
    if (sent.error === 'interrupted') {
      this.#unsent.push(delivery);
      this.queues.ended(delivery, null, this.clock.now());
      this.queues.settled(1);
      return;
    }
    const atMs = this.clock.now();
    const outcome = { isSuccess: isSuccess(sent.statusCode), durationMs: sent.durationMs };
    this.queues.ended(delivery, outcome, atMs);
    const attempts = delivery.attempts + 1;
    const conclusion = concludeAttempt(attempts, sent, !delivery.isManual, atMs, this.clock.random);
    const { state, nextAttemptAtMs, isEndpointDeleted } = conclusion;
    this.results.write({
      delivery,
      attempts,
      sent,
      atMs,
      state,
      nextAttemptAtMs,
      isEndpointDeleted,
    });
    this.#sendReady();
    if (this.queues.isShort(delivery.webhookId)) this.#onShort();
  }

  #broke(delivery: ClaimedDelivery, error: Error): void {
    this.#sending -= 1;
    this.queues.ended(delivery, null, this.clock.now());
    this.queues.settled(1);
    const { deliveryId } = delivery;
    this.#logger.error({
      msg: 'an attempt failed unexpectedly; it is repeated after its lease',
      deliveryId,
      err: error,
    });
  }

  async #release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await this.queue.release(deliveries);
    } catch (error) {
      this.#logger.warn({
        msg: 'cannot release deliveries; they are due again when their leases expire',
        err: error,
      });
    }
  }
}
