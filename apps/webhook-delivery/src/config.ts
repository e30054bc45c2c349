import { IsCidrs, IsDays, IsIntegerIn, IsSecretKeys, SecretsConfig } from '@plimsoll/service-kit';
import { IsBoolean, Matches } from 'class-validator';

export class WebhookDeliveryConfig extends SecretsConfig {
  static override readonly service = 'webhook-delivery';

  /**
   * Keys that encrypt signing secrets at rest. The first key encrypts and all decrypt. A key that is in use cannot be
   * removed. A changed file is read again.
   */
  @IsSecretKeys()
  WEBHOOK_SECRET_KEYS: string = '';

  /**
   * Ranges, separated by commas, that webhooks may reach although they are not public. For development and
   * self-hosters.
   */
  @IsCidrs()
  WEBHOOK_ALLOW_CIDRS: string = '';

  /** Allows plain HTTP to the ranges of WEBHOOK_ALLOW_CIDRS, and never to any other address. */
  @IsBoolean()
  WEBHOOK_ALLOW_HTTP: boolean = false;

  /** Origin of this platform, as in the gateway's configuration. Webhooks may not go to it. */
  @Matches(/^$|^https?:\/\/(\[[0-9a-f:]+\]|[^/\s:]+)(:\d{1,5})?\/?$/i, {
    message: 'must be an origin without a path, as in https://api.example.com',
  })
  PUBLIC_URL: string = '';

  /** Attempts in flight at the same time in this process. */
  @IsIntegerIn(1, 4_096)
  DELIVERY_CONCURRENCY: number = 512;

  /** Attempts in flight for one account over all its endpoints. */
  @IsIntegerIn(1, 4_096)
  DELIVERY_CONCURRENCY_PER_ACCOUNT: number = 128;

  /** Attempts in flight for one endpoint, so that an endpoint that hangs uses no more than these. */
  @IsIntegerIn(1, 1_024)
  DELIVERY_CONCURRENCY_PER_ENDPOINT: number = 32;

  /** Requests per second from this process to one endpoint. */
  @IsIntegerIn(1, 100_000)
  DELIVERY_RATE_PER_ENDPOINT: number = 10_000;

  /** Milliseconds between two checks for retries that are due and for rows that other instances left. */
  @IsIntegerIn(10, 10_000)
  DELIVERY_POLL_MS: number = 500;

  /** Days for which deliveries and their events are kept. */
  @IsDays()
  DELIVERY_RETENTION_DAYS: number = 30;
}
