import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type Identity, type PriceV1, newId } from '@plimsoll/contracts';
import { type ReceivedEvent, kafkaConsumers } from '@plimsoll/event-bus';
import { Health, createService, Clock } from '@plimsoll/service-kit';
import {
  type EventPublisher,
  collectEvents,
  createTestDatabase,
  expectDocumented,
  identityHeaders,
  startPublisher,
  testIdentityKeys,
  testKafka,
  waitFor,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { AppModule } from '../src/app.module';
import { MarketDataConfig } from '../src/config';

/** The service on its own database and topics. It can be stopped and restarted on them. */
export interface MarketFixture {
  config: MarketDataConfig;
  pool: Pool;
  /** Published price.v1 events. */
  prices: ReceivedEvent<PriceV1>[];
  publisher: EventPublisher;
  log: ReturnType<typeof testKafka>;
  /** Moves the clock of the running service. */
  skipMs: number;
  start(): Promise<void>;
  stop(): Promise<void>;
  app(): NestFastifyApplication;
  /** Fails for a response that the OpenAPI document does not describe. */
  call<T>(
    method: 'GET' | 'POST',
    url: string,
    body?: unknown,
    identity?: Partial<Identity>,
  ): Promise<{ status: number; body: T }>;
  /** Returns the first past or future price.v1 of the asset that matches. */
  waitForPrice(asset: string, fits: (price: PriceV1) => boolean): Promise<PriceV1>;
  close(): Promise<void>;
}

/** Prepares the service. Nothing runs before `start`. */
export async function createMarketFixture(settings: Partial<MarketDataConfig>): Promise<MarketFixture> {
  const database = await createTestDatabase();
  const log = testKafka();
  const config = Object.assign(new MarketDataConfig(), {
    LOG_LEVEL: 'silent',
    IDENTITY_KEYS: testIdentityKeys(),
    DATABASE_URL: database.url,
    KAFKA_BROKERS: log.brokers.join(','),
    KAFKA_TOPIC_PREFIX: log.topicPrefix,
    RPC_URL: { chains: [], problem: null },
    RPC_TIMEOUT_MS: 500,
    FEED_POLL_MS: 100,
    SOURCE_TIMEOUT_MS: 300,
    PRICE_HEARTBEAT_MS: 60_000,
    ...settings,
  });
  const pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=market_data' });
  pool.on('error', () => undefined);
  const publisher = await startPublisher(database.url, log);
  const prices = await collectEvents(log, 'price.v1');
  const accountId = newId('acc');
  let app: NestFastifyApplication | undefined;

  const fixture: MarketFixture = {
    config,
    pool,
    prices: prices.events,
    publisher,
    log,
    skipMs: 0,
    start: async () => {
      app = await createService(AppModule, config, kafkaConsumers);
      app.get(Clock).now = () => Date.now() + fixture.skipMs;
      await app.startAllMicroservices();
      await app.init();
      await waitFor(async () => (await fixture.app().get(Health).report(2_000)).status === 'ready', {
        timeoutMs: 30_000,
        message: 'the service is ready',
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
    call: async <T>(
      method: 'GET' | 'POST',
      url: string,
      body?: unknown,
      identity: Partial<Identity> = {},
    ) => {
      const response = await fixture.app().inject({
        method,
        url,
        headers: {
          ...identityHeaders(config.IDENTITY_KEYS, accountId, { tier: 'open', ...identity }),
          ...(body !== undefined && { 'content-type': 'application/json' }),
        },
        ...(body !== undefined && { payload: JSON.stringify(body) }),
      });
      const result = { status: response.statusCode, body: response.json<T>() };
      expectDocumented(method, url, result);
      return result;
    },
    waitForPrice: (asset, fits) =>
      waitFor(() => prices.events.find(({ value }) => value?.asset === asset && fits(value))?.value, {
        message: `a price.v1 of ${asset} that fits; ${prices.events.length} events came`,
      }),
    close: async () => {
      await fixture.stop();
      await Promise.all([prices.stop(), publisher.stop()]);
      await pool.end();
      await database.drop();
    },
  };
  return fixture;
}
