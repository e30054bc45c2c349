import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../background/periodic-task';
import { IdempotencyRepository } from './idempotency.repository';

const EVERY_MS = 10 * 60_000;

/** Deletes keys older than 24 hours about every ten minutes, at a random moment for each instance. */
@Injectable()
export class IdempotencyCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #task: PeriodicTask;

  constructor(repository: IdempotencyRepository) {
    this.#task = new PeriodicTask({
      name: IdempotencyCleaner.name,
      everyMs: EVERY_MS,
      round: async () => void (await repository.clean()),
      failure: 'cannot delete old idempotency keys; the next attempt is in ten minutes',
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
