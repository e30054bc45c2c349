import { Injectable, Logger, type OnApplicationBootstrap, type OnApplicationShutdown } from '@nestjs/common';
import { Pool } from 'pg';
import { Clock } from '../clock';
import { RecentEventsRepository } from './recent-events.repository';

const EVERY_MS = 300_000;

/** Forgets events that no watch can be late for any more. */
@Injectable()
export class RecentEventsCleaner implements OnApplicationBootstrap, OnApplicationShutdown {
  readonly #logger = new Logger('recent events');
  #timer: NodeJS.Timeout | undefined;

  constructor(
    private readonly recent: RecentEventsRepository,
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  onApplicationBootstrap(): void {
    this.#timer = setInterval(() => void this.#clean(), EVERY_MS).unref();
  }

  onApplicationShutdown(): void {
    clearInterval(this.#timer);
  }

  async #clean(): Promise<void> {
    try {
      await this.recent.forget(this.pool, this.clock.now());
    } catch (error) {
      this.#logger.warn({ msg: 'old events are not deleted; it is tried again in five minutes', err: error });
    }
  }
}
