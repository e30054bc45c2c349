import { Controller, Inject, type INestApplication } from '@nestjs/common';
import { EventPattern } from '@nestjs/microservices';
import { FastifyAdapter } from '@nestjs/platform-fastify';
import { Test } from '@nestjs/testing';
import { newId, type WalletV1 } from '@plimsoll/contracts';
import {
  EventBusModule,
  INBOX_SQL,
  OUTBOX_SQL,
  appendToOutbox,
  kafkaConsumers,
  outgoing,
  type BusLogger,
  type EventBatch,
  type EventBusOptions,
} from '@plimsoll/event-bus';
import { createTestDatabase, sampleWallet, sampleWatch, waitFor } from '@plimsoll/testing';
import { Pool } from 'pg';

const KEYS = 20;
const BATCH = 10;
const EVERY_MS = 20;

/** One event that a transaction of the service has published. */
export interface Published {
  eventId: string;
  key: string;
  /** Milliseconds of `performance.now()`, after the commit. */
  at: number;
}

/**
 * Two instances of a service that publishes through its outbox and consumes its own events, until they are
 * stopped.
 */
export interface BusLoad {
  /** The number of keys, which take turns. */
  readonly keys: number;
  readonly published: readonly Published[];
  /** When the effect of each event was committed, by event id. */
  readonly handledAt: ReadonlyMap<string, number>;
  /** Stops publishing. */
  stop(): Promise<void>;
  /** Ids of the events in the order of their effects. */
  effects(): Promise<string[]>;
  close(): Promise<void>;
}

type Handle = (batch: EventBatch<WalletV1>) => Promise<void>;

const HANDLE = Symbol('HANDLE');

@Controller()
class Consumer {
  constructor(@Inject(HANDLE) private readonly handle: Handle) {}

  @EventPattern('wallet.v1')
  onWallets(batch: EventBatch<WalletV1>): Promise<void> {
    return this.handle(batch);
  }
}

/** Starts the instances with their own database. They publish 500 events a second. */
export async function startBusLoad(broker: string): Promise<BusLoad> {
  const database = await createTestDatabase();
  const pool = new Pool({ connectionString: database.url, max: 6 });
  pool.on('error', () => undefined);
  await pool.query(`${OUTBOX_SQL}${INBOX_SQL}CREATE TABLE effects (event_id text NOT NULL, at bigserial);`);
  const published: Published[] = [];
  const handledAt = new Map<string, number>();
  const options = { brokers: [broker], clientId: 'kill-test', groupId: 'kill-test', pool, logger: SILENT };
  const handle: Handle = async ({ events, tx, afterCommit }) => {
    const ids = events.map(({ id }) => id);
    await tx.query('INSERT INTO effects (event_id) SELECT unnest($1::text[])', [ids]);
    afterCommit(() => {
      const at = performance.now();
      for (const id of ids) handledAt.set(id, at);
    });
  };
  const apps = [await startService(options, handle), await startService(options, handle)];

  const stopping = new AbortController();
  const publish = async (): Promise<void> => {
    const accountId = newId('acc');
    while (!stopping.signal.aborted) {
      const events = Array.from({ length: BATCH }, (_, at) =>
        outgoing('wallet.v1', sampleWatch(accountId, sampleWallet((published.length + at) % KEYS))),
      );
      await appendToOutbox(pool, events);
      const at = performance.now();
      published.push(...events.map(({ eventId, key }) => ({ eventId, key, at })));
      await new Promise((resolve) => setTimeout(resolve, EVERY_MS));
    }
  };
  const running = publish();
  running.catch(() => undefined);
  return {
    keys: KEYS,
    published,
    handledAt,
    stop: async () => {
      stopping.abort();
      await running;
    },
    effects: async () => {
      const { rows } = await pool.query<{ id: string }>('SELECT event_id AS id FROM effects ORDER BY at');
      return rows.map(({ id }) => id);
    },
    close: async () => {
      stopping.abort();
      await running.catch(() => undefined);
      for (const app of apps) await app.close();
      await pool.end();
      await database.drop();
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
  await waitFor(() => kafkaConsumers(app).health().ok, { message: 'the consumer is in its group' });
  return app;
}

const SILENT: BusLogger = {
  debug: () => undefined,
  info: () => undefined,
  warn: () => undefined,
  error: () => undefined,
};
