import { EventServiceConfig, IsCidrs, IsDays, IsIntegerIn, IsRedisUrl } from '@plimsoll/service-kit';
import { IsBoolean, IsNotEmpty, IsString, Matches } from 'class-validator';

export class SandboxConfig extends EventServiceConfig {
  static override readonly service = 'sandbox';

  /** Redis for the streams of test keys. */
  @IsRedisUrl()
  REDIS_URL: string = '';

  /** Folder for the chains, identity keys and logs of test markets. */
  @IsString()
  @IsNotEmpty()
  SANDBOX_FOLDER: string = '';

  /** Folder with the bundles of the services, each in a folder of its name. */
  @IsString()
  @IsNotEmpty()
  SERVICES_FOLDER: string = '';

  /** Secret from which the keys that encrypt secrets of test mode are derived: base64 of 32 bytes. */
  @Matches(/^[A-Za-z0-9+/]{43}=$/, { message: 'must be the base64 of 32 bytes' })
  SANDBOX_SECRET: string = '';

  /** Most test markets at the same time. Each has two processes, with about 0.5 GB together. */
  @IsIntegerIn(1, 64)
  SANDBOX_MOST_ACTIVE: number = 8;

  /** Milliseconds without a request after which a test market stops. The next request restores it. */
  @IsIntegerIn(1_000, 86_400_000)
  SANDBOX_IDLE_MS: number = 900_000;

  /** Days without a request after which a test market and all its data are removed. */
  @IsDays()
  SANDBOX_KEEP_DAYS: number = 30;

  /** Ranges that test webhooks may reach although they are not public, as in webhook-delivery. */
  @IsCidrs()
  WEBHOOK_ALLOW_CIDRS: string = '';

  /** Allows plain HTTP to these ranges, as in webhook-delivery. */
  @IsBoolean()
  WEBHOOK_ALLOW_HTTP: boolean = false;

  /** Origin of this platform, as in the gateway's configuration. Webhooks may not go to it. */
  @IsString()
  PUBLIC_URL: string = '';
}
