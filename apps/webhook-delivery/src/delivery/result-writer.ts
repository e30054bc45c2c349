import { Injectable, Logger } from '@nestjs/common';
import { setTimeout as delay } from 'node:timers/promises';
import { Clock } from '../clock';
import type { ClaimedResult } from './attempt-result';
import { DeliveryMetrics } from './delivery-metrics';
import { ResultsRepository } from './results.repository';

const BATCH_RESULTS = 500;
const TRIES = 4;
const RETRY_BASE_MS = 100;

interface Waiting {
  result: ClaimedResult;
  written: () => void;
}

/** Writes results in batches: those that come while a batch is being written make up the next one. */
@Injectable()
export class ResultWriter {
  readonly #logger = new Logger('results');
  readonly #waiting: Waiting[] = [];
  #writing = false;

  constructor(
    private readonly results: ResultsRepository,
    private readonly metrics: DeliveryMetrics,
    private readonly clock: Clock,
  ) {}

  /**
   * Resolves when the result is written, or given up after retries: then the lease ends and the delivery is made again
   * under the same id. Whoever waits for it holds its place among the attempts under way, which bounds the queue here.
   */
  write(result: ClaimedResult): Promise<void> {
    return new Promise((written) => {
      this.#waiting.push({ result, written });
      if (!this.#writing) void this.#writeAll();
    });
  }

  async #writeAll(): Promise<void> {
    this.#writing = true;
    while (this.#waiting.length > 0) {
      const batch = this.#waiting.splice(0, BATCH_RESULTS);
      await this.#writeBatch(batch.map(({ result }) => result));
      for (const { written } of batch) written();
    }
    this.#writing = false;
  }

  async #writeBatch(results: readonly ClaimedResult[]): Promise<void> {
    for (let attempt = 1; ; attempt += 1) {
      try {
        for (const result of await this.results.record(results)) this.metrics.concluded(result);
        return;
      } catch (error) {
        if (attempt === TRIES) {
          this.#logger.error({
            msg: 'results are lost; their deliveries are made again',
            count: results.length,
            err: error,
          });
          return;
        }
        await delay(RETRY_BASE_MS * 2 ** (attempt - 1) * (1 + this.clock.random()));
      }
    }
  }
}
