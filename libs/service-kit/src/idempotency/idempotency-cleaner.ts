import {
  type BeforeApplicationShutdown,
  Injectable,
  Logger,
  type OnApplicationBootstrap,
} from '@nestjs/common';
import { IdempotencyRepository } from './idempotency.repository';

const EVERY_MS = 10 * 60_000;

/** Forgets keys of more than 24 hours ago every ten minutes or so, at a random moment for each instance. */
@Injectable()
export class IdempotencyCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly logger = new Logger(IdempotencyCleaner.name);
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(private readonly repository: IdempotencyRepository) {}

  onApplicationBootstrap(): void {
    this.#schedule();
  }

  beforeApplicationShutdown(): void {
    this.#isStopped = true;
    clearTimeout(this.#timer);
  }

  #schedule(): void {
    if (this.#isStopped) return;
    this.#timer = setTimeout(() => void this.#clean(), EVERY_MS * (0.5 + Math.random())).unref();
  }

  async #clean(): Promise<void> {
    try {
      const deleted = await this.repository.clean();
      this.logger.debug({ msg: 'old idempotency keys were deleted', deleted });
    } catch (error) {
      this.logger.warn({
        msg: 'old idempotency keys could not be deleted; it is tried again in ten minutes',
        err: error,
      });
    }
    this.#schedule();
  }
}
