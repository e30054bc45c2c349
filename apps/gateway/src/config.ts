import {
  EventServiceConfig,
  IsCidrs,
  IsIntegerIn,
  IsOrigins,
  IsPostgresUrl,
  IsRedisPrefix,
  IsRedisUrl,
  IsKeyManagement,
  Requires,
  loadConfig,
} from '@plimsoll/service-kit';
import { IsBoolean, IsNotEmpty, IsString, Matches, ValidateIf } from 'class-validator';

const isLoopback = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[?::1\]?)$/.test(host);
const hostOf = (url: string): string => (URL.canParse(url) ? new URL(url).hostname : '');

/** All variables of the gateway. */
export class GatewayConfig extends EventServiceConfig {
  static override readonly service = 'gateway';

  /** Redis for the limits and key invalidations of all gateway processes. */
  @IsRedisUrl()
  REDIS_URL: string = '';

  /** Prefix of every Redis key and channel, so that several platforms can share a Redis. */
  @IsRedisPrefix()
  REDIS_KEY_PREFIX: string = 'plimsoll:';

  /** Origins of the instances of positions. */
  @IsOrigins()
  UPSTREAM_POSITIONS: string = '';

  /** Origins of the instances of market-data. */
  @IsOrigins()
  UPSTREAM_MARKET_DATA: string = '';

  /** Origins of the instances of alerts. */
  @IsOrigins()
  UPSTREAM_ALERTS: string = '';

  /** Origins of the instances of webhook-delivery. */
  @IsOrigins()
  UPSTREAM_WEBHOOK_DELIVERY: string = '';

  /** Origins of the instances of streams. */
  @IsOrigins()
  UPSTREAM_STREAMS: string = '';

  /** Origins of the instances of simulation. */
  @IsOrigins()
  UPSTREAM_SIMULATION: string = '';

  /** Origins of the instances of whales. */
  @IsOrigins()
  UPSTREAM_WHALES: string = '';

  /** Origins of the instances of ai. */
  @IsOrigins()
  UPSTREAM_AI: string = '';

  /** Origins of the instances of execution. */
  @IsOrigins()
  UPSTREAM_EXECUTION: string = '';

  /** Origins of the instances of sandbox, which serves test keys. Empty: test keys get 503. */
  @ValidateIf(({ UPSTREAM_SANDBOX }: GatewayConfig) => UPSTREAM_SANDBOX !== '')
  @IsOrigins()
  UPSTREAM_SANDBOX: string = '';

  /** Milliseconds for a connection to a service. Then 503. */
  @IsIntegerIn(10)
  UPSTREAM_CONNECT_DEADLINE_MS: number = 1_000;

  /** Milliseconds for a service to respond. Then 504. It is above the 10 s of a webhook test. */
  @IsIntegerIn(10)
  UPSTREAM_ANSWER_DEADLINE_MS: number = 15_000;

  /** Milliseconds without a byte of a request body. Then 408. */
  @IsIntegerIn(10, 30_000)
  BODY_SILENCE_MS: number = 10_000;

  /** Milliseconds for a whole request body. Then 408. */
  @IsIntegerIn(10, 30_000)
  BODY_DEADLINE_MS: number = 30_000;

  /** Memory for request bodies that this process has read or reads, in MiB. More bodies get 503. */
  @IsIntegerIn(1, 65_536)
  BODY_BUFFER_MIB: number = 256;

  /** Number of gateway processes. Without Redis, each admits its share of a limit. */
  @IsIntegerIn(1, 1_000)
  GATEWAY_INSTANCES: number = 1;

  /** Networks whose X-Forwarded-For is trusted, as CIDRs separated by commas. None by default. */
  @IsCidrs()
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

  /**
   * Origin of the portal when another host serves its files, for example https://portal.example.com. Its pages may use the API
   * with the session of their user. It must be of the same site as PUBLIC_URL, or browsers do not send the cookie. Empty: the
   * pages of this platform only.
   */
  @Matches(/^$|^(https:\/\/[^/\s@*]+|http:\/\/(localhost|127(\.\d{1,3}){3}|\[::1\])(:\d+)?)$/, {
    message: 'must be an https:// origin without a path; http:// is for loopback only',
  })
  PORTAL_ORIGIN: string = '';

  /** Mail server, smtp:// or smtps://, with user and password. If it is empty, no mails are sent. */
  @Matches(/^$|^smtps?:\/\//, { message: 'must be an smtp:// or smtps:// address' })
  SMTP_URL: string = '';

  /** Sender of mails, for example Plimsoll <no-reply@example.com>. Required with SMTP_URL. */
  @ValidateIf(({ MAIL_FROM, SMTP_URL }: GatewayConfig) => MAIL_FROM !== '' || SMTP_URL !== '')
  @Matches(/^(?:[^<>\r\n]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/, {
    message: 'must be an e-mail address, alone or as Name <address>',
  })
  MAIL_FROM: string = '';

  /**
   * Keeps mails in memory instead of sending them, readable by everyone at /portal/mail. Only for a platform that serves this
   * machine alone: `npm start` sets it.
   */
  @IsBoolean()
  @Requires<GatewayConfig>(
    ({ LOCAL_MAILS, HOST, PUBLIC_URL, SMTP_URL }) =>
      !LOCAL_MAILS || (isLoopback(HOST) && isLoopback(hostOf(PUBLIC_URL)) && SMTP_URL === ''),
    'needs HOST and PUBLIC_URL of the loopback, and no SMTP_URL',
  )
  LOCAL_MAILS: boolean = false;

  /**
   * Control port of the local market, so that signed-in users of the portal can move its prices. Only for a platform that serves
   * this machine alone: `npm start` sets it.
   */
  @Matches(/^$|^http:\/\/127\.0\.0\.1:\d+$/, { message: 'must be an http://127.0.0.1 address with a port' })
  @Requires<GatewayConfig>(
    ({ LOCAL_MARKET_URL, LOCAL_MARKET_TOKEN, HOST, PUBLIC_URL }) =>
      LOCAL_MARKET_URL === '' ||
      (isLoopback(HOST) && isLoopback(hostOf(PUBLIC_URL)) && LOCAL_MARKET_TOKEN !== ''),
    'needs LOCAL_MARKET_TOKEN, and HOST and PUBLIC_URL of the loopback',
  )
  LOCAL_MARKET_URL: string = '';

  /** The token of the control port. Required with LOCAL_MARKET_URL. */
  @IsString()
  LOCAL_MARKET_TOKEN: string = '';

  /** Hours after which an unused session ends. */
  @IsIntegerIn(1, 8_760)
  SESSION_IDLE_HOURS: number = 168;

  /** Hours after which every session ends. */
  @IsIntegerIn(1, 8_760)
  SESSION_MAX_HOURS: number = 720;

  /**
   * Interval for writing usage counts. A killed process loses the counts of this time. Limits lose nothing.
   */
  @IsIntegerIn(50, 60_000)
  USAGE_WRITE_INTERVAL_MS: number = 5_000;

  /**
   * Rows of the request log that this process writes of one account in a second. Further requests are counted in the usage only.
   * 0: no request log.
   */
  @IsIntegerIn(0, 100_000)
  REQUEST_LOG_ROWS_PER_SECOND: number = 200;
}

/** Variables of the admin command line. */
export class AdminConfig {
  @IsPostgresUrl()
  DATABASE_URL: string = '';

  @IsRedisUrl()
  REDIS_URL: string = '';

  @IsRedisPrefix()
  REDIS_KEY_PREFIX: string = 'plimsoll:';
}

/** @throws ConfigError that names every invalid variable */
export function loadAdminConfig(): AdminConfig {
  return loadConfig(AdminConfig, process.env);
}

/** Variables of the admin commands that create and rotate identity keys. */
export class IdentityKeysConfig {
  /** The folder with the keys. */
  @IsNotEmpty()
  IDENTITY_KEYS_FOLDER: string = '';
}

/** @throws ConfigError when IDENTITY_KEYS_FOLDER is not set */
export function loadIdentityKeysConfig(): IdentityKeysConfig {
  return loadConfig(IdentityKeysConfig, process.env);
}

/** Variables of the admin command that creates secret keys. */
export class SecretKeysCommandConfig {
  @IsKeyManagement()
  SECRET_KEYS_KMS: string = '';
}

/** @throws ConfigError when SECRET_KEYS_KMS has another form */
export function loadSecretKeysCommandConfig(): SecretKeysCommandConfig {
  return loadConfig(SecretKeysCommandConfig, process.env);
}

/** Variables of the admin command that lists alerts for operators. */
export class OperationsConfig {
  /** The operations addresses of the services, separated by commas. */
  @IsString()
  OPERATIONS_URLS: string = '';
}

/** @throws ConfigError that names every invalid variable */
export function loadOperationsConfig(): OperationsConfig {
  return loadConfig(OperationsConfig, process.env);
}
