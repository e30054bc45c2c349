import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { TIER_LIMITS } from '@plimsoll/access';
import { type Identity, type PositionV1, type Tier, type WalletV1, newId } from '@plimsoll/contracts';
import { type ReceivedEvent, kafkaConsumers } from '@plimsoll/event-bus';
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
import { PositionsConfig } from '../src/config';

/** A response of the service. */
export interface TestResponse<T> {
  status: number;
  body: T;
}

/** The service with its own database and topics. It can be stopped and started again on them. */
export interface ServiceFixture {
  config: PositionsConfig;
  pool: Pool;
  events: { positions: ReceivedEvent<PositionV1>[]; wallets: ReceivedEvent<WalletV1>[] };
  start(): Promise<void>;
  stop(): Promise<void>;
  app(): NestFastifyApplication;
  /** Fails for a response that the OpenAPI document does not describe. */
  call<T>(
    method: 'GET' | 'POST' | 'DELETE',
    url: string,
    as: Identity,
    body?: unknown,
  ): Promise<TestResponse<T>>;
  /** The first position.v1 of a wallet, past or future, that fits. */
  waitForPosition(wallet: string, fits: (event: PositionV1) => boolean): Promise<PositionV1>;
  close(): Promise<void>;
}

/** A new account of a tier; `more` changes its caps. */
export function identityOf(tier: Tier, more: Partial<Identity['limits']> = {}): Identity {
  const { wallets, webhooks } = TIER_LIMITS[tier];
  return {
    accountId: newId('acc'),
    keyId: newId('key'),
    tier,
    scopes: ['wallets:read', 'wallets:write', 'positions:read', 'analytics:read'],
    limits: { wallets, webhooks, ...more },
    requestId: newId('req'),
    issuedAt: 0,
  };
}

/** Prepares the service for these chains. Nothing runs before `start`. */
export async function createServiceFixture(
  chains: ChainEndpoint[],
  registryOverlay = '',
): Promise<ServiceFixture> {
  const database = await createTestDatabase();
  const kafka = testKafka();
  const config = Object.assign(new PositionsConfig(), {
    LOG_LEVEL: 'silent',
    IDENTITY_KEYS: testIdentityKeys(),
    DATABASE_URL: database.url,
    KAFKA_BROKERS: kafka.brokers.join(','),
    KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
    RPC_URL: { chains, problem: null },
    REGISTRY_OVERLAY: registryOverlay,
    BLOCK_POLL_INTERVAL_MS: 100,
    RPC_TIMEOUT_MS: 500,
    TRACKING_REFRESH_MS: 1_000,
    CHAIN_HEARTBEAT_MS: 1_000,
  });
  const pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=positions' });
  pool.on('error', () => undefined);
  const positions = await collectEvents(kafka, 'position.v1');
  const wallets = await collectEvents(kafka, 'wallet.v1');
  let app: NestFastifyApplication | undefined;

  const fixture: ServiceFixture = {
    config,
    pool,
    events: { positions: positions.events, wallets: wallets.events },
    start: async () => {
      app = await createService(AppModule, config, kafkaConsumers);
      await app.startAllMicroservices();
      await app.init();
      await waitFor(() => kafkaConsumers(fixture.app()).health().ok, {
        message: 'the consumer is in its group',
      });
    },
    stop: async () => {
      await app?.close();
      app = undefined;
    },
    app: () => {
      if (!app) throw new Error('the service is not started: call start() first');
      return app;
    },
    call: async <T>(method: 'GET' | 'POST' | 'DELETE', url: string, as: Identity, body?: unknown) => {
      const response = await fixture.app().inject({
        method,
        url,
        headers: {
          ...identityHeaders(config.IDENTITY_KEYS, as.accountId, {
            ...as,
            issuedAt: Math.floor(Date.now() / 1_000),
          }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const result = { status: response.statusCode, body: response.json<T>() };
      expectDocumented(method, url, result);
      return result;
    },
    waitForPosition: (wallet, fits) =>
      waitFor(
        () =>
          positions.events.find(({ value }) => value?.wallet === wallet.toLowerCase() && fits(value))?.value,
        { message: `a position.v1 of ${wallet} that fits; ${positions.events.length} events came` },
      ),
    close: async () => {
      await fixture.stop();
      await Promise.all([positions.stop(), wallets.stop()]);
      await pool.end();
      await database.drop();
    },
  };
  return fixture;
}
