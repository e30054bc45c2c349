import { randomBytes } from 'node:crypto';
import { Module } from '@nestjs/common';
import { Idempotency, IdempotencyRepository, idempotencyProviders } from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';
import { SecretBox } from './secret-box';

/** Encryption at rest of signing secrets, and of stored responses that contain one. */
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [WebhookDeliveryConfig],
      useFactory: (config: WebhookDeliveryConfig) => new SecretBox(config.WEBHOOK_SECRET_KEYS, randomBytes),
    },
    ...idempotencyProviders(SecretBox),
  ],
  exports: [SecretBox, Idempotency, IdempotencyRepository],
})
export class SecretsModule {}
