import { IsIn, IsInt, IsNotEmpty, IsString, Matches, Max, Min } from 'class-validator';

const POSTGRES = /^postgres(ql)?:\/\//;
const postgresUrl = { message: 'must be a postgres:// address' };

/**
 * Variables that every service takes. A service extends this class in its own config.ts; each field is named like its
 * environment variable, has its default here and a decorator that says what is allowed.
 */
export class ServiceConfig {
  /** Address to listen on; loopback unless told otherwise. */
  @IsString()
  @IsNotEmpty()
  HOST: string = '127.0.0.1';

  /** Port to listen on; 0 takes a free one. */
  @IsInt()
  @Min(0)
  @Max(65_535)
  PORT: number = 0;

  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: string = 'info';

  /** Keys of the signed identity, `<id>:<base64 of 32 bytes>`, comma-separated: the first signs, all verify. */
  @Matches(/^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/, {
    message:
      'must be <id>:<base64 of 32 bytes>, several separated by commas; make one with: openssl rand -base64 32',
  })
  IDENTITY_KEYS: string = '';

  /** Milliseconds for which a stopping service still takes calls, and tells their clients to go elsewhere. */
  @IsInt()
  @Min(0)
  SHUTDOWN_LAME_DUCK_MS: number = 1_000;

  /** Milliseconds a stopping service may take after that to finish what is in flight. */
  @IsInt()
  @Min(100)
  SHUTDOWN_DEADLINE_MS: number = 10_000;
}

/** Variables of a service that owns tables and publishes nothing. */
export class DatabaseConfig extends ServiceConfig {
  /** Postgres address; the service works in a schema of its own there. */
  @Matches(POSTGRES, postgresUrl)
  DATABASE_URL: string = '';
}

/** Variables of a service that reads the log. */
export class KafkaConfig extends ServiceConfig {
  /** Kafka brokers, `host:port`, comma-separated. */
  @Matches(/^[^\s,]+:\d+(,[^\s,]+:\d+)*$/, { message: 'must be host:port, several separated by commas' })
  KAFKA_BROKERS: string = '';

  /** Put before every topic and group name, so that several environments can share brokers. */
  @Matches(/^[A-Za-z0-9._-]*$/)
  KAFKA_TOPIC_PREFIX: string = '';

  /** Partitions of a topic that this service is the first to need; the same for all services of a platform. */
  @IsInt()
  @Min(1)
  @Max(100)
  KAFKA_PARTITIONS: number = 6;
}

/** Variables of a service that owns tables and publishes what happens to them. */
export class EventServiceConfig extends KafkaConfig {
  /** Postgres address; the service works in a schema of its own there. */
  @Matches(POSTGRES, postgresUrl)
  DATABASE_URL: string = '';
}
