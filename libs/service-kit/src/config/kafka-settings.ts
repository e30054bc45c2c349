import { readFileSync } from 'node:fs';
import type { KafkaConfig } from './service.config';

/** The Kafka settings of event-bus. */
export interface KafkaSettings {
  brokers: string[];
  topicPrefix: string;
  partitions: number;
  fetchWaitMs: number;
  tls?: { ca?: string | undefined; cert?: string | undefined; key?: string | undefined };
  sasl?:
    | { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string }
    | { mechanism: 'oauthbearer'; tokenFile: string };
}

/** Returns the Kafka settings for event-bus, with the contents of the PEM files. */
export function kafkaSettings(config: KafkaConfig): KafkaSettings {
  const tls = tlsOf(config);
  const sasl = saslOf(config);
  return {
    brokers: config.KAFKA_BROKERS.split(','),
    topicPrefix: config.KAFKA_TOPIC_PREFIX,
    partitions: config.KAFKA_PARTITIONS,
    fetchWaitMs: config.KAFKA_FETCH_WAIT_MS,
    ...(tls && { tls }),
    ...(sasl && { sasl }),
  };
}

function tlsOf({
  KAFKA_TLS,
  KAFKA_TLS_CA,
  KAFKA_TLS_CERT,
  KAFKA_TLS_KEY,
}: KafkaConfig): KafkaSettings['tls'] {
  if (!KAFKA_TLS) return undefined;
  const pem = (file: string): string | undefined => (file === '' ? undefined : readFileSync(file, 'utf8'));
  return { ca: pem(KAFKA_TLS_CA), cert: pem(KAFKA_TLS_CERT), key: pem(KAFKA_TLS_KEY) };
}

function saslOf(config: KafkaConfig): KafkaSettings['sasl'] {
  const { KAFKA_SASL: mechanism, KAFKA_SASL_TOKEN_FILE: tokenFile } = config;
  if (mechanism === '') return undefined;
  if (mechanism === 'oauthbearer') return { mechanism, tokenFile };
  return { mechanism, username: config.KAFKA_SASL_USERNAME, password: config.KAFKA_SASL_PASSWORD };
}
