import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../clock';
import { WebhookDeliveryConfig } from '../config';
import { HttpSender } from '../outgoing/http-sender';
import { AttemptService } from './attempt.service';
import { concludeAttempt } from './conclude-attempt';
import { DeliveryMetrics } from './delivery-metrics';
import { type ClaimedDelivery, DeliveryQueue } from './delivery-queue';
import { InFlight } from './in-flight';
import { ResultWriter } from './result-writer';
import { Wakeup } from './wakeup';

/** Kept of the time to stop for giving deliveries back, after those under way were waited for. */
const RELEASE_TIME_MS = 2_000;
const BACKOFF_BASE_MS = 100;
const BACKOFF_CAP_MS = 5_000;
const MEASURE_INTERVAL_MS = 5_000;

/** Takes due deliveries as long as there is room, and sends each of them by itself. */
@Injectable()
export class DeliveryWorker implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #logger = new Logger('deliveries');
  readonly #inFlight: InFlight;
  readonly #underWay = new Set<Promise<void>>();
  readonly #interrupted: ClaimedDelivery[] = [];
  readonly #wakeup = new Wakeup();
  #stopping = false;
  #running: Promise<void> = Promise.resolve();
  #afterWebhookId = '';
  #failures = 0;
  #measuredAtMs = 0;

  constructor(
    private readonly config: WebhookDeliveryConfig,
    private readonly queue: DeliveryQueue,
    private readonly attempts: AttemptService,
    private readonly results: ResultWriter,
    private readonly sender: HttpSender,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {
    this.#inFlight = new InFlight(config.DELIVERY_CONCURRENCY, config.DELIVERY_CONCURRENCY_PER_ENDPOINT);
  }

  onApplicationBootstrap(): void {
    this.#running = this.#run();
  }

  /** Waits for what is under way, then interrupts the rest and gives it back; it is sent again under the same id. */
  async beforeApplicationShutdown(): Promise<void> {
    this.#stopping = true;
    this.wake();
    await this.#running;
    const graceMs = Math.max(0, this.config.SHUTDOWN_DEADLINE_MS - RELEASE_TIME_MS);
    const cut = setTimeout(() => this.sender.interrupt(), graceMs);
    await Promise.all(this.#underWay);
    clearTimeout(cut);
    await this.queue.release(this.#interrupted, this.clock.now()).catch((error: Error) => {
      this.#logger.warn({
        msg: 'deliveries are not given back; they come back when their leases end',
        err: error,
      });
    });
  }

  /** To be called when deliveries may have come due. */
  wake(): void {
    this.#wakeup.signal();
  }

  async #run(): Promise<void> {
    while (!this.#stopping) {
      try {
        await this.#measure();
        const isDrained = await this.#takeDue();
        this.#failures = 0;
        if (isDrained) await this.#wakeup.wait(this.config.DELIVERY_POLL_MS);
      } catch (error) {
        this.#failures += 1;
        this.#logger.warn({ msg: 'deliveries cannot be claimed; the database is tried again', err: error });
        const backoffMs = Math.min(BACKOFF_CAP_MS, BACKOFF_BASE_MS * 2 ** this.#failures);
        await delay(backoffMs * (0.5 + this.clock.random() / 2));
      }
    }
  }

  /** True when nothing more can be taken before something changes. */
  async #takeDue(): Promise<boolean> {
    const limit = this.#inFlight.free;
    if (limit <= 0) return true;
    const claimed = await this.queue.claim({
      nowMs: this.clock.now(),
      limit,
      limitPerWebhook: this.#inFlight.limitPerWebhook,
      busy: this.#inFlight.busy,
      afterWebhookId: this.#afterWebhookId,
    });
    for (const delivery of claimed) this.#start(delivery);
    const wasWholeRound = this.#afterWebhookId === '';
    // With no room left, the next round begins behind the endpoint that was served last: none is always served first.
    this.#afterWebhookId = claimed.length < limit ? '' : lastWebhookId(claimed);
    return claimed.length < limit && wasWholeRound;
  }

  #start(delivery: ClaimedDelivery): void {
    this.#inFlight.add(delivery.webhookId);
    this.metrics.claimed(delivery.overdueMs);
    const work = this.#deliver(delivery)
      .catch((error: Error) => {
        const { deliveryId } = delivery;
        this.#logger.error({
          msg: 'an attempt broke off; it is made again after its lease',
          deliveryId,
          err: error,
        });
      })
      .finally(() => {
        this.#underWay.delete(work);
        this.#inFlight.remove(delivery.webhookId);
        this.metrics.inFlight(this.#inFlight.total);
        this.wake();
      });
    this.#underWay.add(work);
  }

  async #deliver(delivery: ClaimedDelivery): Promise<void> {
    const { attempts } = delivery;
    if (!delivery.isOpen) {
      const skipped = { state: 'skipped', sent: null, nextAttemptAtMs: null, endpointGone: false } as const;
      return this.results.write({ delivery, attempts, atMs: this.clock.now(), ...skipped });
    }
    const sent = await this.attempts.send(delivery, attempts + 1);
    if (sent.error === 'interrupted') {
      this.#interrupted.push(delivery);
      return;
    }
    const atMs = this.clock.now();
    const conclusion = concludeAttempt(attempts + 1, sent, !delivery.isManual, atMs, this.clock.random);
    await this.results.write({ delivery, attempts: attempts + 1, sent, atMs, ...conclusion });
  }

  async #measure(): Promise<void> {
    const nowMs = this.clock.now();
    if (nowMs - this.#measuredAtMs < MEASURE_INTERVAL_MS) return;
    this.#measuredAtMs = nowMs;
    this.metrics.oldestDue(await this.queue.oldestDueMs(nowMs));
  }
}

function lastWebhookId(claimed: readonly ClaimedDelivery[]): string {
  return claimed.reduce((last, { webhookId }) => (webhookId > last ? webhookId : last), '');
}
