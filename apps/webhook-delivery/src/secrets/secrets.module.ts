import { Module } from '@nestjs/common';
import {
  Idempotency,
  IdempotencyRepository,
  SecretBox,
  idempotencyProviders,
  openSecretBox,
} from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';

/** Encryption at rest of signing secrets, and of stored responses that contain one. */
@Module({
  providers: [
    {
      provide: SecretBox,
      inject: [WebhookDeliveryConfig],
      useFactory: (config: WebhookDeliveryConfig) =>
        openSecretBox(config.WEBHOOK_SECRET_KEYS, 'WEBHOOK_SECRET_KEYS', config.SECRET_KEYS_KMS),
    },
    ...idempotencyProviders(SecretBox),
  ],
  exports: [SecretBox, Idempotency, IdempotencyRepository],
})
export class SecretsModule {}
