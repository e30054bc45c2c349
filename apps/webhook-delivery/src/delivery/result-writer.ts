import { Injectable, Logger } from '@nestjs/common';
import { isDependencyFailure } from '@plimsoll/contracts';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '@plimsoll/service-kit';
import type { ClaimedResult } from './attempt-result';
import { DeliveryMetrics } from './delivery-metrics';
import { ResultsRepository } from './results.repository';

/** Results that end within this time share a transaction, because one costs nearly as much as fifty. */
const GATHER_MS = 20;
const BATCH_RESULTS = 500;
const RETRY_BASE_MS = 100;
const RETRY_CAP_MS = 2_000;
/** After this time the leases have expired, and the deliveries are sent again in any case. */
const RETRY_FOR_MS = 30_000;
const STOP_RETRY_MS = 1_000;

/**
 * Writes results in batches. Results that arrive together, or while a batch is written, form the next batch.
 */
@Injectable()
export class ResultWriter {
  readonly #logger = new Logger('results');
  #waiting: ClaimedResult[] = [];
  #writing: Promise<void> | undefined;
  #onSettled: (count: number) => void = () => undefined;
  #idle: (() => void) | undefined;
  #giveUpAt = Infinity;

  constructor(
    private readonly results: ResultsRepository,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * @param onSettled receives the number of results that were written or given up; the sender holds their
   * capacity until then
   */
  start(onSettled: (count: number) => void): void {
    this.#onSettled = onSettled;
  }

  /**
   * Accepts a result. When it is given up after retries, its lease expires and the delivery is sent again
   * under the same id.
   */
  write(result: ClaimedResult): void {
    this.#waiting.push(result);
    this.#writing ??= this.#writeAll();
  }

  /** Resolves when all accepted results are written or given up. During a stop it gives up early. */
  async drained(): Promise<void> {
    this.#giveUpAt = performance.now() + STOP_RETRY_MS;
    this.#idle?.();
    await this.#writing;
  }

  async #writeAll(): Promise<void> {
    while (this.#waiting.length > 0) {
      await this.#gather();
      const batch = this.#waiting.splice(0, BATCH_RESULTS);
      await this.#writeBatch(batch);
      this.#onSettled(batch.length);
    }
    this.#writing = undefined;
  }

  async #gather(): Promise<void> {
    if (this.#waiting.length >= BATCH_RESULTS) return;
    await new Promise<void>((resolve) => {
      const timer = setTimeout(resolve, GATHER_MS);
      this.#idle = () => {
        clearTimeout(timer);
        resolve();
      };
    });
    this.#idle = undefined;
  }

  /**
   * Retries a batch while the database is unavailable. When a single result is the cause, the others are
   * written without it.
   */
  async #writeBatch(results: readonly ClaimedResult[]): Promise<void> {
    const giveUpAt = performance.now() + RETRY_FOR_MS;
    for (let attempt = 0; ; attempt += 1) {
      try {
        for (const result of await this.results.record(results)) this.metrics.concluded(result);
        return;
      } catch (error) {
        const isAway = isDependencyFailure(error);
        if (!isAway && results.length > 1) return this.#writeHalves(results);
        if (!isAway || performance.now() > Math.min(giveUpAt, this.#giveUpAt)) {
          this.#logger.error({
            msg: 'results are lost; their deliveries are sent again',
            count: results.length,
            err: error,
          });
          return;
        }
        this.#logger.warn({ msg: 'cannot write results; the next attempt follows', err: error });
        const backoffMs = Math.min(RETRY_CAP_MS, RETRY_BASE_MS * 2 ** attempt);
        await delay(backoffMs * (0.5 + this.clock.random() / 2));
      }
    }
  }

  async #writeHalves(results: readonly ClaimedResult[]): Promise<void> {
    const middle = Math.ceil(results.length / 2);
    await this.#writeBatch(results.slice(0, middle));
    await this.#writeBatch(results.slice(middle));
  }
}
