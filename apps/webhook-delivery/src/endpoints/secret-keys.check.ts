import { Injectable } from '@nestjs/common';
import { IdempotencyRepository, SecretBox, SecretKeysWatch } from '@plimsoll/service-kit';
import { WebhookDeliveryConfig } from '../config';
import { WebhooksRepository } from './webhooks.repository';

/** Requires the keys of all stored secrets, because deliveries would fail without one. */
@Injectable()
export class SecretKeysCheck extends SecretKeysWatch {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly answers: IdempotencyRepository,
    secrets: SecretBox,
    config: WebhookDeliveryConfig,
  ) {
    super(secrets, config);
  }

  protected async inUse(): Promise<string[]> {
    return [...(await this.webhooks.secretKeyIds()), ...(await this.answers.sealKeyIds())];
  }
}
