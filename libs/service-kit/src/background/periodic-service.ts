import type { BeforeApplicationShutdown, OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, type PeriodicTaskOptions } from './periodic-task';

/**
 * A provider that repeats its `round` from the application's bootstrap to its shutdown: a poller or a
 * cleaner. Decorate the subclass with `@Injectable()`.
 */
export abstract class PeriodicService implements OnApplicationBootstrap, BeforeApplicationShutdown {
  readonly #task: PeriodicTask;

  constructor(options: Omit<PeriodicTaskOptions, 'round'>) {
    this.#task = new PeriodicTask({ ...options, round: (signal) => this.round(signal) });
  }

  onApplicationBootstrap(): void {
    this.#task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.#task.stop();
  }

  /** As `round` of PeriodicTaskOptions: true when there is more to do. */
  protected abstract round(signal: AbortSignal): Promise<boolean | void>;
}
