import { Equals, IsBoolean, IsIn, IsNotEmpty, IsString, Matches, ValidateIf } from 'class-validator';
import { HasIdentityKeys } from './has-identity-keys';
import { IsFileOrEmpty, IsIntegerIn, IsPostgresUrl, IsUrlOrEmpty, Requires } from './decorators';
import { IsKeyManagement } from './kms-form';

/**
 * Variables of every service. A service extends this class in its own config.ts. Each field has the name of
 * its environment variable, its default, and a decorator that states the allowed values.
 */
export class ServiceConfig {
  /** The name of the service among the others. */
  static readonly service: string = 'unnamed';

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

  /**
   * Milliseconds between two measurements of the delay of the event loop, for `nodejs_eventloop_lag`. The metric includes
   * them. A larger number costs less on an idle machine.
   */
  @IsIntegerIn(1, 10_000)
  EVENT_LOOP_PRECISION_MS: number = 10;

  /** The least severe lines that are logged. */
  @IsIn(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'])
  LOG_LEVEL: string = 'info';

  /** The `name` on every log line, for services whose lines are in one file. Empty: no name. */
  @IsString()
  LOG_NAME: string = '';

  /** Gives this process the ids of test mode. The sandbox sets it for the services that it starts. */
  @IsBoolean()
  TEST_MODE: boolean = false;

  /**
   * Folder with the keys of the signed identity: `public.json` of all services, and `<service>.private.json` of
   * this one. Changed files are read again.
   */
  @HasIdentityKeys()
  IDENTITY_KEYS_FOLDER: string = '';

  /**
   * Keys of the identities before IDENTITY_KEYS_FOLDER existed, `<id>:<base64 of 32 bytes>`, separated by commas.
   * They are accepted while gateway and services are updated one after the other. Empty: none is.
   */
  @Matches(/^$|^[\w-]+:[A-Za-z0-9+/]{43}=(,[\w-]+:[A-Za-z0-9+/]{43}=)*$/, {
    message: 'must be <id>:<base64 of 32 bytes>, several separated by commas, or empty',
  })
  IDENTITY_FORMER_KEYS: string = '';

  /** The former name, which must not be set. */
  @Equals('', {
    message:
      'is no longer used: set IDENTITY_KEYS_FOLDER, and until all services are updated IDENTITY_FORMER_KEYS to this value',
  })
  IDENTITY_KEYS: string = '';

  /** Page where an account gets a higher tier: `upgradeUrl` of errors that require one. Empty: they have none. */
  @IsUrlOrEmpty()
  UPGRADE_URL: string = '';

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

/** Returns the name of the service that a configuration belongs to. */
export function serviceOf({ constructor }: ServiceConfig): string {
  return (constructor as typeof ServiceConfig).service;
}

/** Variables of a service that owns tables and publishes no events. */
export class DatabaseConfig extends ServiceConfig {
  /** Postgres URL. The service uses its own schema there. */
  @IsPostgresUrl()
  DATABASE_URL: string = '';

  /** Applies missing migrations at start. If false, the service requires them: `node app/main.js --migrate` applies them. */
  @IsBoolean()
  MIGRATE_AT_START: boolean = true;
}

const usesPassword = ({ KAFKA_SASL }: { KAFKA_SASL: string }): boolean =>
  ['plain', 'scram-sha-256', 'scram-sha-512'].includes(KAFKA_SASL);

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

  /**
   * Milliseconds for which a broker holds a fetch while there are no events. A larger number costs less on an idle
   * machine, and a stop and a resume may wait that long. New events never wait.
   */
  @IsIntegerIn(50, 5_000)
  KAFKA_FETCH_WAIT_MS: number = 500;

  /** TLS to the brokers. */
  @IsBoolean()
  @Requires<KafkaConfig>(
    ({ KAFKA_TLS, KAFKA_SASL }) => KAFKA_TLS || !['plain', 'oauthbearer'].includes(KAFKA_SASL),
    'must be true with KAFKA_SASL plain or oauthbearer, which send the password or token itself',
  )
  KAFKA_TLS: boolean = false;

  /** PEM file of the authorities that sign the certificates of the brokers. Empty: those of Node. */
  @IsFileOrEmpty()
  KAFKA_TLS_CA: string = '';

  /** PEM file of this service's certificate, for brokers that require one. */
  @IsFileOrEmpty()
  @Requires<KafkaConfig>(
    ({ KAFKA_TLS_CERT, KAFKA_TLS_KEY }) => (KAFKA_TLS_CERT === '') === (KAFKA_TLS_KEY === ''),
    'must be set together with KAFKA_TLS_KEY',
  )
  KAFKA_TLS_CERT: string = '';

  /** PEM file of the key of KAFKA_TLS_CERT. */
  @IsFileOrEmpty()
  KAFKA_TLS_KEY: string = '';

  /** How this service authenticates to the brokers. Empty: by its certificate, or not at all. */
  @IsIn(['', 'plain', 'scram-sha-256', 'scram-sha-512', 'oauthbearer'], {
    message: 'must be plain, scram-sha-256, scram-sha-512, oauthbearer or empty',
  })
  KAFKA_SASL: '' | 'plain' | 'scram-sha-256' | 'scram-sha-512' | 'oauthbearer' = '';

  /** User of KAFKA_SASL plain or scram-sha-…. */
  @IsString()
  @Requires<KafkaConfig>(
    (config) => config.KAFKA_SASL_USERNAME !== '' || !usesPassword(config),
    'must be the name of a user with KAFKA_SASL plain or scram-sha-…',
  )
  KAFKA_SASL_USERNAME: string = '';

  /** Password of that user. */
  @IsString()
  @Requires<KafkaConfig>(
    (config) => config.KAFKA_SASL_PASSWORD !== '' || !usesPassword(config),
    'must be the password of KAFKA_SASL_USERNAME',
  )
  KAFKA_SASL_PASSWORD: string = '';

  /** File with the token for oauthbearer. It is read again for each authentication. */
  @IsFileOrEmpty()
  @Requires<KafkaConfig>(
    ({ KAFKA_SASL, KAFKA_SASL_TOKEN_FILE }) => KAFKA_SASL !== 'oauthbearer' || KAFKA_SASL_TOKEN_FILE !== '',
    'must be the file with the token for KAFKA_SASL oauthbearer',
  )
  KAFKA_SASL_TOKEN_FILE: string = '';
}

/** Variables of a service that owns tables and publishes events about them. */
export class EventServiceConfig extends KafkaConfig {
  /** Postgres URL. The service uses its own schema there. */
  @IsPostgresUrl()
  DATABASE_URL: string = '';

  /** Applies missing migrations at start. If false, the service requires them: `node app/main.js --migrate` applies them. */
  @IsBoolean()
  MIGRATE_AT_START: boolean = true;
}

/** Variables of a service that encrypts secrets in its tables. */
export class SecretsConfig extends EventServiceConfig {
  /**
   * The key management that encrypted the keys with `kms:` in the variables …_SECRET_KEYS: a file of master keys, a key of AWS
   * KMS, or a key of Vault's transit engine. Their credentials are the standard variables of AWS and Vault. Empty: the
   * variables have the keys themselves.
   */
  @IsKeyManagement()
  SECRET_KEYS_KMS: string = '';
}
