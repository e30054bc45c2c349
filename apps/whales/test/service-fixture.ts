import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Identity, type Tier, type WhaleV1, newId } from '@plimsoll/contracts';
import type { ReceivedEvent } from '@plimsoll/event-bus';
import type { ChainEndpoint } from '@plimsoll/evm';
import { createService } from '@plimsoll/service-kit';
import {
  collectEvents,
  createTestDatabase,
  expectDocumented,
  identityHeaders,
  testIdentityKeys,
  testKafka,
  waitFor,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { AppModule } from '../src/app.module';
import { WhalesConfig } from '../src/config';

/** The service on its own database and topics. It can be stopped and restarted on them. */
export interface ServiceFixture {
  config: WhalesConfig;
  pool: Pool;
  events: ReceivedEvent<WhaleV1>[];
  start(): Promise<void>;
  stop(): Promise<void>;
  /** Returns a provider of the running service. */
  part<T>(type: abstract new (...args: never[]) => T): T;
  /** Waits until the logs of the chain's blocks up to this one are read. */
  indexedTo(block: number, chainId?: number): Promise<void>;
  /** Fails for a response that the OpenAPI document does not describe. */
  get<T>(url: string, as?: Identity): Promise<{ status: number; body: T }>;
  close(): Promise<void>;
}

/** Returns a new account of a tier. */
export function identityOf(tier: Tier): Identity {
  return {
    accountId: newId('acc'),
    keyId: newId('key'),
    tier,
    scopes: ['analytics:read'],
    limits: { wallets: null, webhooks: null },
    requestId: newId('req'),
    issuedAt: 0,
  };
}

/** Prepares the service for these chains. Nothing runs before `start`. */
export async function createServiceFixture(
  chains: ChainEndpoint[],
  overlayPath: string,
  settings: Partial<WhalesConfig> = {},
): Promise<ServiceFixture> {
  const database = await createTestDatabase();
  const kafka = testKafka();
  const config = Object.assign(new WhalesConfig(), {
    LOG_LEVEL: 'silent',
    IDENTITY_KEYS: testIdentityKeys(),
    DATABASE_URL: database.url,
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
    RPC_URL: { chains, problem: null },
    REGISTRY_OVERLAY: overlayPath,
    BLOCK_POLL_INTERVAL_MS: 50,
    WHALE_THRESHOLD_USD: 10_000,
    ...settings,
  });
  const pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=whales' });
  pool.on('error', () => undefined);
  const collector = await collectEvents(kafka, 'whale.v1');
  let app: NestFastifyApplication | undefined;

  const fixture: ServiceFixture = {
    config,
    pool,
    events: collector.events,
    start: async () => {
      app = await createService(AppModule, config);
      await app.init();
    },
    stop: async () => {
      await app?.close();
      app = undefined;
    },
    part: (type) => {
      if (!app) throw new Error('the service is not started: call start() first');
      return app.get(type as never);
    },
    indexedTo: async (block, chainId = 1) => {
      await waitFor(
        async () => {
          const { rows } = await pool.query<{ block: string }>(
            'SELECT block FROM cursors WHERE chain_id = $1',
            [chainId],
          );
          return Number(rows[0]?.block ?? -1) >= block;
        },
        { timeoutMs: 20_000, message: `the index of chain ${chainId} comes to block ${block}` },
      );
    },
    get: async <T>(url: string, as = identityOf('business')) => {
      if (!app) throw new Error('the service is not started: call start() first');
      const headers = identityHeaders(config.IDENTITY_KEYS, as.accountId, {
        ...as,
        issuedAt: Math.floor(Date.now() / 1_000),
      });
      const response = await app.inject({ method: 'GET', url, headers });
      const result = { status: response.statusCode, body: response.json<T>() };
      expectDocumented('GET', url, result);
      return result;
    },
    close: async () => {
      await fixture.stop();
      await collector.stop();
      await pool.end();
      await database.drop();
    },
  };
  return fixture;
}
