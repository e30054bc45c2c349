import { Injectable, type OnModuleInit } from '@nestjs/common';
import { IdempotencyRepository, SecretBox } from '@plimsoll/service-kit';
import { WebhooksRepository } from './webhooks.repository';

/** Stops the start of a service that cannot open its stored secrets, because every delivery would fail. */
@Injectable()
export class SecretKeysCheck implements OnModuleInit {
  constructor(
    private readonly webhooks: WebhooksRepository,
    private readonly answers: IdempotencyRepository,
    private readonly secrets: SecretBox,
  ) {}

  async onModuleInit(): Promise<void> {
    const known = new Set(this.secrets.keyIds);
    const inUse = [...(await this.webhooks.secretKeyIds()), ...(await this.answers.sealKeyIds())];
    const missing = [...new Set(inUse)].filter((id) => !known.has(id));
    if (missing.length > 0) {
      throw new Error(
        `Secrets are sealed with keys that WEBHOOK_SECRET_KEYS lacks: ${missing.join(', ')}. Put them back.`,
      );
    }
  }
}
