import { SERVICE_TOPICS } from '@plimsoll/contracts';
import { KafkaJSProtocolError } from 'kafkajs';
import type { BusLogger, KafkaOptions } from '../options';
import { kafkaClient } from './client';
import { TokenRejected } from './security';
import { deadLetterTopic } from './topics';

/** The brokers reject the settings of this service. The message is one line that names the setting. */
export class KafkaAccessError extends Error {
  override readonly name = 'KafkaAccessError';
}

const SILENT: BusLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** Codes of Node for a certificate of a broker that does not verify. */
const UNVERIFIED =
  /^(CERT_|DEPTH_ZERO_|SELF_SIGNED_|UNABLE_TO_|INVALID_CA|HOSTNAME_MISMATCH|ERR_TLS_CERT_ALTNAME_INVALID)/;

/** Codes of Node for a broker that ends the handshake because of this client's certificate. */
const CERTIFICATE_REJECTED = /^ERR_SSL_.*ALERT/;

/**
 * Connects to the brokers with TLS or SASL, and describes the topics of the service and its consumer group.
 * Resolves when the brokers accept the settings, and also when they are unavailable: a service starts
 * without Kafka. Does nothing without TLS and SASL, and for a client that is no service.
 * @throws KafkaAccessError for the first setting that the brokers reject
 */
export async function checkKafkaAccess(options: KafkaOptions, groupId?: string): Promise<void> {
  if (!options.tls && !options.sasl) return;
  const { publishes = [], consumes = [] } = SERVICE_TOPICS[options.clientId] ?? {};
  const prefix = options.topicPrefix ?? '';
  const { kafka, cut } = kafkaClient({ ...options, logger: SILENT }, 'start-check', { retries: 0 });
  const admin = kafka.admin();
  const check = async (subject: string, work: () => Promise<unknown>): Promise<void> => {
    try {
      await work();
    } catch (error) {
      const problem = accessProblem(error, subject, options);
      if (problem !== undefined) throw new KafkaAccessError(problem);
    }
  };
  try {
    await check('', () => admin.connect());
    const ownDeadLetters = groupId === undefined ? [] : consumes.map(deadLetterTopic);
    for (const topic of [...publishes, ...consumes, ...ownDeadLetters].map((name) => prefix + name))
      await check(`the topic ${topic}`, () => admin.fetchTopicMetadata({ topics: [topic] }));
    const group = prefix + (groupId ?? '');
    if (groupId !== undefined && consumes.length > 0)
      await check(`the consumer group ${group}`, () => admin.describeGroups([group]));
  } finally {
    await admin.disconnect().catch(() => undefined);
    cut();
  }
}

/**
 * Returns one line that names the wrong setting, or undefined for an error with another cause.
 * @param subject what the request was about
 */
function accessProblem(
  error: unknown,
  subject: string,
  { tls, sasl }: Pick<KafkaOptions, 'tls' | 'sasl'>,
): string | undefined {
  if (!(error instanceof Error)) return undefined;
  const code = 'code' in error ? String(error.code) : '';
  if (UNVERIFIED.test(code)) {
    const authorities = tls?.ca ? 'the file of KAFKA_TLS_CA' : 'the authorities of Node';
    return `KAFKA_TLS_CA: the certificate of the broker is not valid by ${authorities} (${code}). Set it to the authority of the brokers.`;
  }
  if (CERTIFICATE_REJECTED.test(code))
    return `KAFKA_TLS_CERT: the broker rejects the certificate of this service (${code}). Set it and KAFKA_TLS_KEY to a certificate that the broker accepts.`;
  if (error instanceof TokenRejected || error.name === 'KafkaJSSASLAuthenticationError')
    return saslProblem(sasl, error.message);
  if (error instanceof KafkaJSProtocolError && error.type.endsWith('_AUTHORIZATION_FAILED')) {
    const setting = sasl ? 'KAFKA_SASL' : 'KAFKA_TLS_CERT';
    return `${setting}: the broker does not let ${principal(sasl)} use ${subject} (${error.type}). Add the access control lists that npm run kafka-acls prints.`;
  }
  return accessProblem(error.cause, subject, { tls, sasl });
}

function saslProblem(sasl: KafkaOptions['sasl'], reason: string): string {
  if (sasl?.mechanism === 'oauthbearer')
    return `KAFKA_SASL_TOKEN_FILE: the broker rejects the token (${reason}). Write a valid token to the file.`;
  return `KAFKA_SASL_PASSWORD: the broker rejects ${principal(sasl)} (${reason}). Correct KAFKA_SASL_USERNAME, KAFKA_SASL_PASSWORD or KAFKA_SASL.`;
}

function principal(sasl: KafkaOptions['sasl']): string {
  if (!sasl) return 'the subject of the certificate';
  return sasl.mechanism === 'oauthbearer' ? 'the subject of the token' : `the user ${sasl.username}`;
}
