import type { Pool } from 'pg';

/** What the bus writes its log lines to; a pino logger satisfies it. */
export interface BusLogger {
  debug(fields: object, message: string): void;
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

/** Called as things happen, so that a service feeds its own metrics; none of them may throw. */
export interface BusMetrics {
  /** Events of a topic acknowledged by the broker. */
  published?(topic: string, count: number): void;
  /** Rows that wait in the outbox and the age of the oldest, milliseconds; reported once a second by the leader. */
  outbox?(rows: number, oldestAgeMs: number): void;
  /** Fresh events handled in one transaction, and how long it took. */
  handled?(topic: string, count: number, durationMs: number): void;
  /** Events put into a dead-letter topic. */
  parked?(topic: string, count: number): void;
  /** A dependency failed: the topic is paused for this long. */
  paused?(topic: string, pauseMs: number): void;
}

/** Where the log is; enough for a reader without a database. */
export interface KafkaOptions {
  /** host:port of at least one broker. */
  brokers: string[];
  /** The service's name; also the source of its events (ce_source). */
  clientId: string;
  /** Put before every topic and group; empty unless several platforms share a broker. */
  topicPrefix?: string;
  /** Partitions of a topic that has to be made first; default as contracts describe it. */
  partitions?: number;
  logger: BusLogger;
  /** Milliseconds since 1970; Date.now unless told. */
  now?: () => number;
  /** In [0, 1), for jitter; Math.random unless told. */
  random?: () => number;
}

/** What a service gives to the bus. */
export interface EventBusOptions extends KafkaOptions {
  /** Consumer group, and the consumer's name in the inbox. The same on all instances of a service. */
  groupId: string;
  /**
   * Its search_path is the service's own schema, which has the tables of OUTBOX_SQL and INBOX_SQL. The relay and the
   * consumer open one connection more each, with the same options.
   */
  pool: Pool;
  /** Where a group that has never committed begins; true: with the oldest event kept. Default true. */
  fromBeginning?: boolean;
  /** False: events seen before are handed on again; for handlers that are idempotent by themselves. Default true. */
  inbox?: boolean;
  /** Most events in one handler call. Default 500. */
  maxBatchEvents?: number;
  /** A handler that has not settled by then is rolled back and tried again later. Default 30,000. */
  handlerTimeoutMs?: number;
  /** How long an event id is remembered; longer than any topic can be replayed. Default 8 days. */
  inboxRetentionMs?: number;
  metrics?: BusMetrics;
  /** Told of `consumers` and `outbox`, without which a service goes on answering what it can. */
  health?: HealthRegistry;
}

/** Where readiness checks are kept; a check rejects with what is wrong. */
export interface HealthRegistry {
  register(name: string, check: () => Promise<void>, options: { required: boolean }): void;
}

/** Shows a part of the bus in the service's readiness report. */
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

/** For a readiness check: `detail` says what is wrong, or how things stand. */
export interface BusHealth {
  ok: boolean;
  detail: string;
}
