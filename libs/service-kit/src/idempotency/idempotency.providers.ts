import type { Provider, Type } from '@nestjs/common';
import { ResponseSeal } from './response-seal';
import { Idempotency } from './idempotency';
import { IdempotencyCleaner } from './idempotency-cleaner';
import { IdempotencyRepository } from './idempotency.repository';

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
