import { Injectable } from '@nestjs/common';
import { PeriodicService } from '../background/periodic-service';
import { IdempotencyRepository } from './idempotency.repository';

const EVERY_MS = 10 * 60_000;

/** Deletes keys older than 24 hours about every ten minutes, at a random moment for each instance. */
@Injectable()
export class IdempotencyCleaner extends PeriodicService {
  constructor(private readonly repository: IdempotencyRepository) {
    super({
      name: IdempotencyCleaner.name,
      everyMs: EVERY_MS,
      failure: 'cannot delete old idempotency keys; the next attempt is in ten minutes',
      waitsFirst: true,
    });
  }

  protected async round(): Promise<void> {
    await this.repository.clean();
  }
}
