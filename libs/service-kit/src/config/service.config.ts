import { IsIn, IsNotEmpty, IsString, Matches, ValidateIf } from 'class-validator';
import { IsIntegerIn, IsPostgresUrl } from './decorators';

/**
 * Variables of every service. A service extends this class in its own config.ts. Each field has the name of
 * its environment variable, its default, and a decorator that states the allowed values.
 */
export class ServiceConfig {
  /** Address to listen on. The default is loopback. */
  @IsString()
  @IsNotEmpty()
  HOST: string = '127.0.0.1';

  /** Port to listen on. 0 takes a free port. */
  @IsIntegerIn(0, 65_535)
  PORT: number = 0;

  /** Address of /metrics and /health/ready. The default is loopback. Clients must not reach it. */
  @IsString()
  @IsNotEmpty()
  OPERATIONS_HOST: string = '127.0.0.1';

  /** Port of /metrics and /health/ready. 0 takes a free port, which the log names. */
  @IsIntegerIn(0, 65_535)
  OPERATIONS_PORT: number = 0;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: string = 'info';

  /** The `name` on every log line, for services whose lines are in one file. Empty: no name. */
  @IsString()
  LOG_NAME: string = '';

  /**
   * Keys of the signed identity, `<id>:<base64 of 32 bytes>`, separated by commas. The first key signs and
   * all keys verify.
   */
  @Matches(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/, {
    message:
      'must be <id>:<base64 of 32 bytes>, several separated by commas; make one with: openssl rand -base64 32',
  })
  IDENTITY_KEYS: string = '';

  /**
   * PEM file of the authorities that sign the certificates of https:// services. If it is empty, the public
   * ones of Node are valid.
   */
  @IsString()
  UPSTREAM_TLS_CA_FILE: string = '';

  /** PEM file of this service's certificate for other services (mutual TLS), with its chain. */
  @ValidateIf(({ UPSTREAM_TLS_KEY_FILE: key }: ServiceConfig) => key !== '')
  @IsNotEmpty({ message: 'must be set, because UPSTREAM_TLS_KEY_FILE is' })
  UPSTREAM_TLS_CERT_FILE: string = '';

  /** PEM file of the private key of that certificate. */
  @ValidateIf(({ UPSTREAM_TLS_CERT_FILE: certificate }: ServiceConfig) => certificate !== '')
  @IsNotEmpty({ message: 'must be set, because UPSTREAM_TLS_CERT_FILE is' })
  UPSTREAM_TLS_KEY_FILE: string = '';

  /**
   * Milliseconds for which a stopping service still accepts requests. Its responses close their connections.
   */
  @IsIntegerIn(0)
  SHUTDOWN_LAME_DUCK_MS: number = 1_000;

  /** Milliseconds after that in which a stopping service may finish requests in flight. */
  @IsIntegerIn(100)
  SHUTDOWN_DEADLINE_MS: number = 10_000;
}

/** Variables of a service that owns tables and publishes no events. */
export class DatabaseConfig extends ServiceConfig {
  /** Postgres URL. The service uses its own schema there. */
  @IsPostgresUrl()
  DATABASE_URL: string = '';
}

/** Variables of a service that consumes or publishes Kafka events. */
export class KafkaConfig extends ServiceConfig {
  /** Kafka brokers, `host:port`, separated by commas. */
  @Matches(/^[^\s,]+:\d+(,[^\s,]+:\d+)*$/, { message: 'must be host:port, several separated by commas' })
  KAFKA_BROKERS: string = '';

  /** Prefix of every topic and group name, so that several environments can share brokers. */
  @Matches(/^[A-Za-z0-9._-]*$/)
  KAFKA_TOPIC_PREFIX: string = '';

  /** Partitions of a topic that this service creates. All services of a platform use the same value. */
  @IsIntegerIn(1, 100)
  KAFKA_PARTITIONS: number = 6;
}

/** Variables of a service that owns tables and publishes events about them. */
export class EventServiceConfig extends KafkaConfig {
  /** Postgres URL. The service uses its own schema there. */
  @IsPostgresUrl()
  DATABASE_URL: string = '';
}
