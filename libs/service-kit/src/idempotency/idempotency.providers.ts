import { type Provider, type Type, Injectable } from '@nestjs/common';
import { ResponseSeal } from './stored-response';
import { Idempotency } from './idempotency';
import { IdempotencyRepository } from './idempotency.repository';
import { PeriodicService } from '../background/periodic-task';

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

/**
 * Providers for the module of a service with IDEMPOTENCY_MIGRATION.
 * @param seal provider that encrypts every stored response, for a service whose responses contain a secret
 */
export function idempotencyProviders(seal?: Type<ResponseSeal>): Provider[] {
  return [
    ...(seal ? [{ provide: ResponseSeal, useExisting: seal }] : []),
    Idempotency,
    IdempotencyCleaner,
    IdempotencyRepository,
  ];
}
