import { EventServiceConfig, loadConfig } from '@plimsoll/service-kit';
import { IsInt, Matches, Max, Min } from 'class-validator';

const ORIGINS = /^https?:\/\/[^/\s,]+(,https?:\/\/[^/\s,]+)*$/;
const originsOf = { message: 'must be http:// origins without a path, several separated by commas' };
const REDIS = /^rediss?:\/\//;
const redisUrl = { message: 'must be a redis:// address' };
const REDIS_PREFIX = /^[A-Za-z0-9._:-]*$/;

/** Every variable of the gateway. */
export class GatewayConfig extends EventServiceConfig {
  /** Limits and key invalidations of all gateway processes meet here. */
  @Matches(REDIS, redisUrl)
  REDIS_URL: string = '';

  /** Put before every Redis key and channel, so that several platforms can share a Redis. */
  @Matches(REDIS_PREFIX)
  REDIS_KEY_PREFIX: string = 'plimsoll:';

  /** Origins of each service's instances. */
  @Matches(ORIGINS, originsOf)
  UPSTREAM_POSITIONS: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_ALERTS: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_WEBHOOK_DELIVERY: string = '';

  @Matches(ORIGINS, originsOf)
  UPSTREAM_STREAMS: string = '';

  /** How long a connection to a service may take; then 503. */
  @IsInt()
  @Min(10)
  UPSTREAM_CONNECT_DEADLINE_MS: number = 1_000;

  /** How long a service may take to answer; then 504. Above the 10 s that a webhook test may take. */
  @IsInt()
  @Min(10)
  UPSTREAM_ANSWER_DEADLINE_MS: number = 15_000;

  /** Gateway processes that run: without Redis each admits its share of a limit. */
  @IsInt()
  @Min(1)
  @Max(1_000)
  GATEWAY_INSTANCES: number = 1;

  /** Networks whose X-Forwarded-For is believed, as CIDRs separated by commas; none unless set. */
  @Matches(/^$|^[0-9a-fA-F.:]+\/\d+(,[0-9a-fA-F.:]+\/\d+)*$/, {
    message: 'must be CIDRs such as 10.0.0.0/8, several separated by commas',
  })
  TRUSTED_PROXIES: string = '';
}

/** What the admin command line needs. */
export class AdminConfig {
  @Matches(/^postgres(ql)?:\/\//, { message: 'must be a postgres:// address' })
  DATABASE_URL: string = '';

  @Matches(REDIS, redisUrl)
  REDIS_URL: string = '';

  @Matches(REDIS_PREFIX)
  REDIS_KEY_PREFIX: string = 'plimsoll:';
}

/** @throws ConfigError that names every wrong variable */
export function loadAdminConfig(): AdminConfig {
  return loadConfig(AdminConfig, process.env);
}
