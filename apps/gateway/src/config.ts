import { EventServiceConfig, loadConfig } from '@plimsoll/service-kit';
import { IsInt, Matches, Max, Min, ValidateIf } from 'class-validator';

const ORIGINS = /^https?:\/\/[^/\s,]+(,https?:\/\/[^/\s,]+)*$/;
const originsOf = { message: 'must be http:// origins without a path, several separated by commas' };
const REDIS = /^rediss?:\/\//;
const redisUrl = { message: 'must be a redis:// address' };
const REDIS_PREFIX = /^[A-Za-z0-9._:-]*$/;

/** All variables of the gateway. */
export class GatewayConfig extends EventServiceConfig {
  /** Redis for the limits and key invalidations of all gateway processes. */
  @Matches(REDIS, redisUrl)
  REDIS_URL: string = '';

  /** Prefix of every Redis key and channel, so that several platforms can share a Redis. */
  @Matches(REDIS_PREFIX)
  REDIS_KEY_PREFIX: string = 'plimsoll:';

  /** Origins of each service's instances. */
  @Matches(ORIGINS, originsOf)
  UPSTREAM_POSITIONS: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_MARKET_DATA: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_ALERTS: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_WEBHOOK_DELIVERY: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_STREAMS: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_SIMULATION: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_WHALES: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_AI: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_EXECUTION: string = '';

  /** Milliseconds for a connection to a service. Then 503. */
  @IsInt()
  @Min(10)
  UPSTREAM_CONNECT_DEADLINE_MS: number = 1_000;

  /** Milliseconds for a service to respond. Then 504. It is above the 10 s of a webhook test. */
  @IsInt()
  @Min(10)
  UPSTREAM_ANSWER_DEADLINE_MS: number = 15_000;

  /** Number of gateway processes. Without Redis, each admits its share of a limit. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  GATEWAY_INSTANCES: number = 1;

  /** Networks whose X-Forwarded-For is trusted, as CIDRs separated by commas. None by default. */
  @Matches(/^$|^[0-9a-fA-F.:]+\/\d+(,[0-9a-fA-F.:]+\/\d+)*$/, {
    message: 'must be CIDRs such as 10.0.0.0/8, several separated by commas',
  })
  TRUSTED_PROXIES: string = '';

  /**
   * URL of this platform for browsers and mails, for example https://api.example.com. By default it comes
   * from the Host header: http for the loopback, otherwise https. Required with SMTP_URL.
   */
  @ValidateIf(({ PUBLIC_URL, SMTP_URL }: GatewayConfig) => PUBLIC_URL !== '' || SMTP_URL !== '')
  @Matches(/^(https:\/\/[^/\s]+|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?)\/?$/, {
    message: 'must be an https:// origin without a path; http:// is for loopback only',
  })
  PUBLIC_URL: string = '';

  /** Mail server, smtp:// or smtps://, with user and password. If it is empty, no mails are sent. */
  @Matches(/^$|^smtps?:\/\//, { message: 'must be an smtp:// or smtps:// address' })
  SMTP_URL: string = '';

  /** Sender of mails, for example Plimsoll <no-reply@example.com>. Required with SMTP_URL. */
  @ValidateIf(({ MAIL_FROM, SMTP_URL }: GatewayConfig) => MAIL_FROM !== '' || SMTP_URL !== '')
  @Matches(/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
    message: 'must be an e-mail address, alone or as Name <address>',
  })
  MAIL_FROM: string = '';

  /** Hours after which an unused session ends. */
  @IsInt()
  @Min(1)
  @Max(8_760)
  SESSION_IDLE_HOURS: number = 168;

  /** Hours after which every session ends. */
  @IsInt()
  @Min(1)
  @Max(8_760)
  SESSION_MAX_HOURS: number = 720;

  /**
   * Interval for writing usage counts. A killed process loses the counts of this time. Limits lose nothing.
   */
  @IsInt()
  @Min(50)
  @Max(60_000)
  USAGE_WRITE_INTERVAL_MS: number = 5_000;
}

/** Variables of the admin command line. */
export class AdminConfig {
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  DATABASE_URL: string = '';

  @Matches(REDIS, redisUrl)
  REDIS_URL: string = '';

  @Matches(REDIS_PREFIX)
  REDIS_KEY_PREFIX: string = 'plimsoll:';
}

/** @throws ConfigError that names every invalid variable */
export function loadAdminConfig(): AdminConfig {
  return loadConfig(AdminConfig, process.env);
}
