import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask } from '../background/periodic-task';
import { IdempotencyRepository } from './idempotency.repository';

const EVERY_MS = 10 * 60_000;

/** Forgets keys of more than 24 hours ago every ten minutes or so, at a random moment for each instance. */
@Injectable()
export class IdempotencyCleaner implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #task: PeriodicTask;

  constructor(repository: IdempotencyRepository) {
    this.#task = new PeriodicTask({
      name: IdempotencyCleaner.name,
      everyMs: EVERY_MS,
      round: async () => void (await repository.clean()),
      failure: 'old idempotency keys could not be deleted; it is tried again in ten minutes',
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
