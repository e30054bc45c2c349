import type { EventTopic, EventValue } from '@plimsoll/contracts';
import {
  LogReader,
  OUTBOX_SQL,
  OutboxRelay,
  type OutgoingEvent,
  type ReceivedEvent,
  appendToOutbox,
} from '@plimsoll/event-bus';
import { Pool } from 'pg';
import { pino } from 'pino';

/** The topics of a test, from testKafka(). */
export interface TestLog {
  brokers: string[];
  topicPrefix: string;
}

/** Takes the place of the services whose events a service under test consumes. */
export interface EventPublisher {
  /** Publishes through an outbox and its relay, in the given order. */
  publish(...events: OutgoingEvent[]): Promise<void>;
  stop(): Promise<void>;
}

/** Events that a service under test published. */
export interface EventCollector<T extends EventTopic> {
  /** All events so far, in order within a key. */
  events: ReceivedEvent<EventValue<T>>[];
  stop(): Promise<void>;
}

const logger = pino({ level: 'silent' });
const SCHEMA = 'publisher';

/** Starts a publisher with an outbox in a separate schema of the given database. */
export async function startPublisher(databaseUrl: string, log: TestLog): Promise<EventPublisher> {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: 1,
    options: `-c search_path=${SCHEMA}`,
    query_timeout: 10_000,
  });
  // pool.end() resolves before its connections are closed, so the test may drop the database under one of them.
  pool.on('error', () => undefined);
  await pool.query(`CREATE SCHEMA ${SCHEMA}`);
  await pool.query(OUTBOX_SQL);
  const relay = new OutboxRelay({ ...log, clientId: SCHEMA, groupId: SCHEMA, pool, logger });
  relay.start();
  return {
    publish: (...events) => appendToOutbox(pool, events),
    stop: async () => {
      await relay.stop();
      await pool.end();
    },
  };
}

/** Reads a topic from its beginning. */
export async function collectEvents<T extends EventTopic>(
  log: TestLog,
  topic: T,
): Promise<EventCollector<T>> {
  const events: ReceivedEvent<EventValue<T>>[] = [];
  const reader = new LogReader({
    ...log,
    clientId: 'collector',
    logger,
    topics: { [topic]: 'beginning' },
    onEvents: (...[, , read]) => {
      events.push(...(read as ReceivedEvent<EventValue<T>>[]));
    },
  });
  await reader.start();
  return { events, stop: () => reader.stop() };
}
