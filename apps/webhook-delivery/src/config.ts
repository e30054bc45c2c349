import { EventServiceConfig } from '@plimsoll/service-kit';
import { IsBoolean, IsInt, Matches, Max, Min, ValidateBy } from 'class-validator';
import { parseCidrs } from './outgoing/address-policy';
import { SECRET_KEYS_FORM } from './secrets/secret-box';

function isCidrList(value: unknown): boolean {
  try {
    return typeof value === 'string' && parseCidrs(value).length >= 0;
  } catch {
    return false;
  }
}

export class WebhookDeliveryConfig extends EventServiceConfig {
  /**
   * Keys that encrypt signing secrets at rest. The first key encrypts and all decrypt. Do not remove a key
   * that is in use.
   */
  @Matches(SECRET_KEYS_FORM, {
    message:
      'must be <id>:<base64 of 32 bytes>, several separated by commas; make one with: openssl rand -base64 32',
  })
  WEBHOOK_SECRET_KEYS: string = '';

  /**
   * Ranges, separated by commas, that webhooks may reach although they are not public. For development and
   * self-hosters.
   */
  @ValidateBy({
    name: 'isCidrList',
    validator: {
      validate: isCidrList,
      defaultMessage: () => 'must be address/bits, several separated by commas, as in 127.0.0.0/8,::1/128',
    },
  })
  WEBHOOK_ALLOW_CIDRS: string = '';

  /** Allows plain HTTP to the ranges of WEBHOOK_ALLOW_CIDRS, and never to any other address. */
  @IsBoolean()
  WEBHOOK_ALLOW_HTTP: boolean = false;

  /** Origin of this platform, as in the gateway's configuration. Webhooks may not go to it. */
  @Matches(/^$|^https?:\/\/[^/\s]+\/?$/, {
    message: 'must be an origin without a path, as in https://api.example.com',
  })
  PUBLIC_URL: string = '';

  /** Attempts in flight at the same time in this process. */
  @IsInt()
  @Min(1)
  @Max(4_096)
  DELIVERY_CONCURRENCY: number = 512;

  /** Attempts in flight for one account over all its endpoints. */
  @IsInt()
  @Min(1)
  @Max(4_096)
  DELIVERY_CONCURRENCY_PER_ACCOUNT: number = 128;

  /** Attempts in flight for one endpoint, so that an endpoint that hangs uses no more than these. */
  @IsInt()
  @Min(1)
  @Max(1_024)
  DELIVERY_CONCURRENCY_PER_ENDPOINT: number = 32;

  /** Requests per second from this process to one endpoint. */
  @IsInt()
  @Min(1)
  @Max(100_000)
  DELIVERY_RATE_PER_ENDPOINT: number = 10_000;

  /** Milliseconds between two checks for retries that are due and for rows that other instances left. */
  @IsInt()
  @Min(10)
  @Max(10_000)
  DELIVERY_POLL_MS: number = 500;

  /** Days for which deliveries and their events are kept. */
  @IsInt()
  @Min(1)
  @Max(3_650)
  DELIVERY_RETENTION_DAYS: number = 30;
}
