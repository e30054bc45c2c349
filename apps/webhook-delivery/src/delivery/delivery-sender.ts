import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../clock';
import { WebhookDeliveryConfig } from '../config';
import type { SendResult } from '../outgoing/exchange';
import { HttpSender } from '../outgoing/http-sender';
import { AttemptService } from './attempt.service';
import type { ClaimedDelivery } from './claimed-delivery';
import { concludeAttempt, isSuccess } from './conclude-attempt';
import { Crowd } from './crowd';
import { DeliveryMetrics } from './delivery-metrics';
import { DeliveryQueue } from './delivery-queue';
import { Lanes } from './lanes';
import { outlastsAttempt } from './lease';
import { ResultWriter } from './result-writer';

/** Requests a second to one endpoint while more comes in than is taken. */
const PER_SECOND_IN_CROWD = 3_000;
const STOP_POLL_MS = 10;
const SKIPPED = { state: 'skipped', sent: null, nextAttemptAtMs: null, endpointGone: false } as const;

/** Sends what was claimed, as its lanes allow, and hands on what came of it. */
@Injectable()
export class DeliverySender {
  readonly lanes: Lanes;
  readonly #logger = new Logger('deliveries');
  readonly #crowd = new Crowd();
  readonly #unsent: ClaimedDelivery[] = [];
  #sending = 0;
  #stopping = false;
  #onShort: () => void = () => undefined;

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
      perSecondInCrowd: Math.min(config.DELIVERY_RATE_PER_ENDPOINT, PER_SECOND_IN_CROWD),
    };
    this.lanes = new Lanes(limits, (ms, work) => {
      setTimeout(() => {
        work();
        this.#sendReady();
      }, ms);
    });
    this.metrics.watch(() => this.lanes);
    this.results.start((count) => {
      this.lanes.settled(count);
      this.#sendReady();
    });
  }

  /** @param work called when an endpoint has room for more than was claimed for it */
  onShort(work: () => void): void {
    this.#onShort = work;
  }

  /** A batch of so many events for endpoints is taken. */
  cameIn(events: number): void {
    this.#crowd.cameIn(events, this.clock.now());
  }

  /** How many deliveries of an endpoint may be claimed as they are made. */
  freshRoom(webhookId: string): number {
    return this.#stopping ? 0 : this.lanes.freshRoom(webhookId);
  }

  /** How many deliveries of an endpoint may wait under one lease. */
  leaseSize(webhookId: string): number {
    return this.lanes.leaseSize(webhookId);
  }

  take(deliveries: readonly ClaimedDelivery[]): void {
    if (this.#stopping) void this.#giveBack(deliveries);
    for (const delivery of this.#stopping ? [] : deliveries) this.lanes.add(delivery);
    this.#sendReady();
  }

  /** Waits for what is under way, interrupts it after `graceMs`, and gives back what was not sent. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#unsent.push(...this.lanes.clear());
    const cut = setTimeout(() => this.http.interrupt(), graceMs);
    while (this.#sending > 0) await delay(STOP_POLL_MS);
    clearTimeout(cut);
    await this.results.drained();
    await this.#giveBack(this.#unsent);
  }

  #sendReady(): void {
    const nowMs = this.clock.now();
    const isCrowded = this.#crowd.isThere(nowMs);
    for (let next = this.lanes.next(nowMs, isCrowded); next; next = this.lanes.next(nowMs, isCrowded)) {
      this.#start(next, nowMs);
    }
  }

  #start(delivery: ClaimedDelivery, nowMs: number): void {
    if (!delivery.target.isOpen) {
      this.lanes.ended(delivery, null);
      this.results.write({ delivery, attempts: delivery.attempts, atMs: nowMs, ...SKIPPED });
    } else if (!outlastsAttempt(delivery.lease, nowMs)) {
      this.lanes.ended(delivery, null);
      this.lanes.settled(1);
      this.lanes.expectMore(delivery.webhookId, delivery.accountId);
      void this.#giveBack([delivery]);
    } else {
      this.metrics.began(nowMs - delivery.dueAtMs);
      this.#sending += 1;
      this.attempts.send(delivery, delivery.target, delivery.attempts + 1).then(
        (sent) => this.#ended(delivery, sent),
        (error: Error) => this.#broke(delivery, error),
      );
    }
  }

  #ended(delivery: ClaimedDelivery, sent: SendResult): void {
    this.#sending -= 1;
    if (sent.error === 'interrupted') {
      this.#unsent.push(delivery);
      this.lanes.ended(delivery, null);
      this.lanes.settled(1);
      return;
    }
    this.lanes.ended(delivery, { isSuccess: isSuccess(sent.statusCode), durationMs: sent.durationMs });
    const atMs = this.clock.now();
    const attempts = delivery.attempts + 1;
    const conclusion = concludeAttempt(attempts, sent, !delivery.isManual, atMs, this.clock.random);
    const { state, nextAttemptAtMs, endpointGone } = conclusion;
    this.results.write({ delivery, attempts, sent, atMs, state, nextAttemptAtMs, endpointGone });
    this.#sendReady();
    if (this.lanes.isShort(delivery.webhookId)) this.#onShort();
  }

  #broke(delivery: ClaimedDelivery, error: Error): void {
    this.#sending -= 1;
    this.lanes.ended(delivery, null);
    this.lanes.settled(1);
    const { deliveryId } = delivery;
    this.#logger.error({
      msg: 'an attempt broke off; it is made again after its lease',
      deliveryId,
      err: error,
    });
  }

  async #giveBack(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    try {
      await this.queue.release(deliveries);
    } catch (error) {
      this.#logger.warn({
        msg: 'deliveries are not given back; they come back when their leases end',
        err: error,
      });
    }
  }
}
