import { Controller, Inject, type INestApplication } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import type { AlertV1, WalletV1 } from '@plimsoll/contracts';
import { createTestDatabase, testKafka, waitFor, type WaitOptions } from '@plimsoll/testing';
import { Kafka, logLevel, type KafkaMessage } from '@plimsoll/kafkajs';
import { Pool } from 'pg';
import {
  EventBusModule,
  INBOX_SQL,
  OUTBOX_SQL,
  kafkaConsumers,
  type BusLogger,
  type EventBatch,
  type EventBusOptions,
} from '../src';

// The suite starts, kills and restarts parts, on machines with other work.
jest.setTimeout(120_000);

/** `waitFor` with a longer deadline for the same reason. */
export function eventually<T>(
  condition: () => T | Promise<T>,
  options: WaitOptions,
): Promise<NonNullable<T>> {
  return waitFor(condition, { timeoutMs: 30_000, ...options });
}

/** A test's handler. */
export type Handle = (batch: EventBatch<AlertV1 | WalletV1>) => Promise<void>;

const HANDLE = Symbol('HANDLE');

@Controller()
class Consumer {
  constructor(@Inject(HANDLE) private readonly handle: Handle) {}

  @EventPattern('alert.v1')
  onAlerts(batch: EventBatch<AlertV1>): Promise<void> {
    return this.handle(batch);
  }

  @EventPattern('wallet.v1')
  onWallets(batch: EventBatch<WalletV1>): Promise<void> {
    return this.handle(batch);
  }
}

export const silent: BusLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};

/** A schema with outbox, inbox and the effects of handlers, and the options of a service for it. */
export interface BusFixture {
  pool: Pool;
  options: EventBusOptions;
  /** A service with handlers for alert.v1 and wallet.v1. `close` stops it. */
  startService(handle: Handle, more?: Partial<EventBusOptions>): Promise<INestApplication>;
  close(): Promise<void>;
}

/** Uses the parts of the test run unless the test has its own database or broker. */
export async function createBus(own: { databaseUrl?: string; brokers?: string[] } = {}): Promise<BusFixture> {
  const database = own.databaseUrl === undefined ? await createTestDatabase() : undefined;
  const connectionString = own.databaseUrl ?? database?.url;
  const pool = new Pool({ connectionString, max: 3, connectionTimeoutMillis: 3_000 });
  pool.on('error', () => undefined);
  await pool.query(`${OUTBOX_SQL}${INBOX_SQL}CREATE TABLE effects (event_id text NOT NULL, at bigserial);`);
  const kafka = own.brokers ? { brokers: own.brokers, topicPrefix: '' } : testKafka();
  const options: EventBusOptions = {
    ...kafka,
    clientId: 'bus-test',
    groupId: 'bus-test',
    pool,
    logger: silent,
  };
  const apps: INestApplication[] = [];
  return {
    pool,
    options,
    startService: async (handle, more = {}) => {
      const app = await startService({ ...options, ...more }, handle);
      apps.push(app);
      return app;
    },
    close: async () => {
      for (const app of apps) await app.close();
      await pool.end();
      await database?.drop();
    },
  };
}

async function startService(options: EventBusOptions, handle: Handle): Promise<INestApplication> {
  const testing = await Test.createTestingModule({
    imports: [EventBusModule.forRootAsync({ useFactory: () => options })],
    controllers: [Consumer],
    providers: [{ provide: HANDLE, useValue: handle }],
  }).compile();
  const app = testing.createNestApplication(new FastifyAdapter(), { logger: false });
  app.connectMicroservice({ strategy: kafkaConsumers(app) });
  await app.startAllMicroservices();
  await app.init();
  await eventually(() => kafkaConsumers(app).health().ok, { message: 'the consumer is in its group' });
  return app;
}

/** The effect of the handler in most tests: one row per event, in the batch's transaction. */
export const noteEffects: Handle = async ({ events, tx }) => {
  await tx.query('INSERT INTO effects (event_id) SELECT unnest($1::text[])', [events.map(({ id }) => id)]);
};

/** Event ids in the order of their effects. */
export async function effects(pool: Pool): Promise<string[]> {
  const { rows } = await pool.query<{ event_id: string }>('SELECT event_id FROM effects ORDER BY at');
  return rows.map((row) => row.event_id);
}

/** A plain kafkajs client that reads topics, and writes to them without the outbox. */
export function plainKafka({ brokers }: EventBusOptions): Kafka {
  return new Kafka({ brokers, clientId: 'bus-test-plain', logLevel: logLevel.NOTHING });
}

/** Returns the messages of a topic, in the order of each partition. */
export async function readTopic(options: EventBusOptions, topic: string): Promise<KafkaMessage[]> {
  const kafka = plainKafka(options);
  const admin = kafka.admin();
  await admin.connect();
  const offsets = await eventually(() => admin.fetchTopicOffsets(topic), { message: `${topic} has leaders` });
  await admin.disconnect();
  const wanted = offsets.reduce((sum, { high, low }) => sum + Number(high) - Number(low), 0);
  const messages: KafkaMessage[] = [];
  const consumer = kafka.consumer({ groupId: `${topic}-look-${Math.random()}`, maxWaitTimeInMs: 50 });
  await consumer.connect();
  await consumer.subscribe({ topic, fromBeginning: true });
  await consumer.run({ autoCommit: false, eachMessage: async ({ message }) => void messages.push(message) });
  await eventually(() => messages.length >= wanted, { message: `${wanted} messages in ${topic}` });
  await consumer.disconnect();
  return messages;
}
