import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { Clock } from '../clock';
import { RecentEventsRepository } from './recent-events.repository';

const EVERY_MS = 300_000;

/** Deletes events for which no late watch can arrive. */
@Injectable()
export class RecentEventsCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #task: PeriodicTask;

  constructor(recent: RecentEventsRepository, pool: Pool, clock: Clock) {
    this.#task = new PeriodicTask({
      name: 'recent events',
      everyMs: EVERY_MS,
      round: () => recent.forget(pool, clock.now()),
      failure: 'cannot delete old events; the next attempt is in five minutes',
      waitsFirst: true,
    });
  }

  onApplicationBootstrap(): void {
    this.#task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#task.stop();
  }
}
