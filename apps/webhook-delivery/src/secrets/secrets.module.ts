import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { Idempotency, IdempotencyRepository, idempotencyProviders, SecretBox } from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';

/** Encryption at rest of signing secrets, and of stored responses that contain one. */
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [WebhookDeliveryConfig],
      useFactory: (config: WebhookDeliveryConfig) =>
        new SecretBox(config.WEBHOOK_SECRET_KEYS, 'WEBHOOK_SECRET_KEYS', randomBytes),
    },
    ...idempotencyProviders(SecretBox),
  ],
  exports: [SecretBox, Idempotency, IdempotencyRepository],
})
export class SecretsModule {}
