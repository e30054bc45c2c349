import type { EventTopic } from '@plimsoll/contracts';
import type { Pool } from 'pg';

/** Log of the bus. A pino logger satisfies it. */
export interface BusLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Callbacks for a service's metrics. None of them may throw. */
export interface BusMetrics {
  /** Events of a topic acknowledged by the broker. */
  published?(topic: string, count: number): void;
  /** Rows in the outbox and the age of the oldest in milliseconds. The leader reports them once a second while it publishes. */
  outbox?(rows: number, oldestAgeMs: number): void;
  /** New events handled in one transaction, and its duration. */
  handled?(topic: string, count: number, durationMs: number): void;
  /** Events sent to a dead-letter topic. */
  parked?(topic: string, count: number): void;
  /** A dependency failed: the topic is paused for this long. */
  paused?(topic: string, pauseMs: number): void;
}

/** TLS to the brokers, as texts in PEM. */
export interface KafkaTls {
  /** Authorities of the brokers' certificates. Undefined: those of Node. */
  ca?: string | undefined;
  /** Certificate and key of this client, for brokers that require one. */
  cert?: string | undefined;
  key?: string | undefined;
}

/** How the brokers recognise this client. */
export type KafkaSasl =
  | { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string }
  /** The file has the token. It is read again for each authentication. */
  | { mechanism: 'oauthbearer'; tokenFile: string };

/** Address of Kafka. Sufficient for a reader without a database. */
export interface KafkaOptions {
  /** host:port of at least one broker. */
  brokers: string[];
  /** Name of the service, which is also the source of its events (ce_source). */
  clientId: string;
  /** Prefix of every topic and group. Empty unless several platforms share a broker. */
  topicPrefix?: string;
  /** Undefined: TCP without TLS. */
  tls?: KafkaTls | undefined;
  /** Undefined: the brokers know this client by its certificate or not at all. */
  sasl?: KafkaSasl | undefined;
  /** Partitions of a new topic. The default is that of libs/contracts. */
  partitions?: number;
  /**
   * How long the broker holds a fetch while there are no events, and so how long a stop and a resume may wait for it.
   * The broker responds immediately when there are new events. The default is 500.
   */
  fetchWaitMs?: number;
  logger: BusLogger;
  /** Milliseconds since 1970. The default is Date.now. */
  now?: () => number;
  /** Returns a number in [0, 1) for jitter. The default is Math.random. */
  random?: () => number;
}

/** How events of one key leave those of others behind them in their partition first. */
export interface ReadAheadOptions {
  /** Topics whose handlers need no order between the events of two keys. */
  topics: readonly EventTopic[];
  /** Events of one key in one fetch up to which none of them waits. */
  eventsPerKey: number;
  /** Bytes in memory from which on no more is fetched until events are handled. */
  maxBytes: number;
}

/** Options that a service gives to the bus. */
export interface EventBusOptions extends KafkaOptions {
  /** Consumer group, and the consumer's name in the inbox. All instances of a service have the same. */
  groupId: string;
  /**
   * Its search_path is the service's own schema with the tables of OUTBOX_MIGRATION and INBOX_MIGRATION. The relay and
   * the consumer each open one more connection with the same options.
   */
  pool: Pool;
  /** First offset of a group without commits. True: the oldest event. The default is true. */
  fromBeginning?: boolean;
  /**
   * False: events that were handled before are passed on again, for handlers that are idempotent. The default
   * is true.
   */
  inbox?: boolean;
  /** Most events in one handler call. The default is 500. */
  maxBatchEvents?: number;
  /**
   * Most bytes of one partition that are handled before those of the next one. A smaller number lets the events
   * of other partitions wait less behind a backlog, and costs more requests. The default is 1 MiB.
   */
  maxBytesPerPartition?: number;
  /**
   * How long an event may wait at the broker, so that more of them share a request and a transaction. For handlers
   * whose results no user waits for: they then leave the processor to those that alarm. The default is 0.
   */
  gatherMs?: number;
  /**
   * Handles the many events of a key behind those of other keys of their partition, each key in its order. Meanwhile
   * they wait in memory, and their offsets are not committed. The default is none.
   */
  readAhead?: ReadAheadOptions;
  /** Deadline of a handler. It is then rolled back and retried later. The default is 30,000. */
  handlerTimeoutMs?: number;
  /** How long an event id is stored: longer than any topic can be replayed. The default is 8 days. */
  inboxRetentionMs?: number;
  metrics?: BusMetrics;
  /** Receives the health of `consumers` and `outbox`. A service can respond to requests without them. */
  health?: HealthRegistry;
}

/** Registry of the readiness checks. A check rejects with the reason. */
export interface HealthRegistry {
  register(name: string, check: () => Promise<void>, options: { required: boolean }): void;
}

/** Adds a part of the bus to the service's readiness report. */
export function showHealth(
  registry: HealthRegistry | undefined,
  name: string,
  part: { health(): BusHealth },
): void {
  const check = async (): Promise<void> => {
    const { ok, detail } = part.health();
    if (!ok) throw new Error(detail);
  };
  registry?.register(name, check, { required: false });
}

/** Injection token of EventBusOptions. */
export const EVENT_BUS_OPTIONS = Symbol('EVENT_BUS_OPTIONS');

/** Result of a readiness check. `detail` states the problem or the state. */
export interface BusHealth {
  ok: boolean;
  detail: string;
}
