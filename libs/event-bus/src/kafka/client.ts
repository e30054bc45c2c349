import { Kafka, logLevel, type LogEntry, type RetryOptions } from '@plimsoll/kafkajs';
import type { BusLogger, KafkaOptions } from '../options';
import { saslOf, tlsOf } from './security';
import { Sockets } from './sockets';

/**
 * About ten seconds of retries. The caller then decides with its own backoff. The longest delay bounds how long traffic waits
 * after a broker has started again.
 */
export const KAFKA_RETRY = {
  initialRetryTime: 100,
  multiplier: 2,
  factor: 0.2,
  maxRetryTime: 500,
  retries: 22,
};

/** Default of `fetchWaitMs`. */
export const FETCH_WAIT_MS = 500;

/** A kafkajs client with our logger, deadlines and sockets. */
export interface KafkaClient {
  kafka: Kafka;
  /** Closes every connection immediately and permanently. */
  cut(): void;
}

/**
 * Creates a client without connecting. `part` distinguishes the clients of one process in the broker's logs.
 */
export function kafkaClient(
  options: KafkaOptions,
  part: string,
  retry: RetryOptions = KAFKA_RETRY,
): KafkaClient {
  const sockets = new Sockets();
  const kafka = new Kafka({
    brokers: options.brokers,
    clientId: `${options.clientId}-${part}`,
    connectionTimeout: 3_000,
    requestTimeout: 10_000,
    retry,
    ssl: tlsOf(options.tls),
    sasl: saslOf(options.sasl),
    socketFactory: sockets.factory,
    logLevel: logLevel.INFO,
    logCreator: () => (entry) => writeLog(options.logger, entry),
  });
  return { kafka, cut: () => sockets.cut() };
}

/** kafkajs logs every lost connection and every retry as an error. Only a failed request is one. */
function writeLog(logger: BusLogger, { level, namespace, log }: LogEntry): void {
  const { message, stack: _stack, timestamp: _timestamp, logger: _name, ...fields } = log;
  const text = `kafkajs ${namespace}: ${message}`;
  if (level === logLevel.ERROR) logger.warn(fields, text);
  else if (level === logLevel.WARN) logger.info(fields, text);
  else logger.debug(fields, text);
}
