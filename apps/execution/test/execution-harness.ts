import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { type ProblemBody, type Tier, derivedId } from '@plimsoll/contracts';
import { kafkaConsumers } from '@plimsoll/event-bus';
import { createService } from '@plimsoll/service-kit';
import {
  createTestDatabase,
  expectDocumented,
  identityHeaders,
  type TestDatabase,
  type TestLog,
  testIdentityKeys,
  testKafka,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { AppModule } from '../src/app.module';
import { ExecutionConfig } from '../src/config';
import type { LocalMarket } from './local-market';
import { startUpstream, type TestUpstream } from './upstream';

export type TestResponse<T> = { status: number; headers: Headers; body: T & ProblemBody };

/** The service over a market. A server plays positions and market-data. */
export class ExecutionHarness {
  readonly accountId = derivedId('acc', randomUUID());

  private constructor(
    private readonly database: TestDatabase,
    readonly pool: Pool,
    readonly upstream: TestUpstream,
    readonly config: ExecutionConfig,
    readonly kafka: TestLog,
    readonly app: NestFastifyApplication,
    readonly origin: string,
  ) {}

  static async start(market: LocalMarket, over: Partial<ExecutionConfig> = {}): Promise<ExecutionHarness> {
    const database = await createTestDatabase();
    const upstream = await startUpstream();
    for (const [symbol, price] of market.prices()) upstream.prices.set(symbol, price);
    for (const { address } of market.wallets) {
      const place = market.venueOf(address);
      upstream.venues.set(place.id, place);
    }
    const kafka = testKafka();
    const config = Object.assign(new ExecutionConfig(), {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS: testIdentityKeys(),
      DATABASE_URL: database.url,
      KAFKA_BROKERS: kafka.brokers.join(','),
      KAFKA_TOPIC_PREFIX: kafka.topicPrefix,
      RPC_URL: { chains: [market.endpoint], problem: null },
      REGISTRY_OVERLAY: market.overlayPath,
      UPSTREAM_POSITIONS: upstream.origin,
      UPSTREAM_MARKET_DATA: upstream.origin,
      // The test's chain has no new blocks while nothing is sent.
      MAX_BLOCK_AGE_SECONDS: 3_600,
      ...over,
    });
    const app = await createService(AppModule, config, kafkaConsumers);
    await app.startAllMicroservices();
    await app.listen(0, '127.0.0.1');
    const origin = (await app.getUrl()).replace('[::1]', '127.0.0.1');
    const pool = new Pool({ connectionString: database.url, max: 2, options: '-c search_path=execution' });
    pool.on('error', () => undefined);
    return new ExecutionHarness(database, pool, upstream, config, kafka, app, origin);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.upstream.close();
    await this.pool.end();
    await this.database.drop();
  }

  /** Fails for a response that the OpenAPI document does not describe. */
  async call<T>(
    method: 'GET' | 'POST',
    path: string,
    body?: unknown,
    {
      headers = {},
      accountId = this.accountId,
    }: { headers?: Record<string, string>; accountId?: string } = {},
  ): Promise<TestResponse<T>> {
    const result = await this.request<T>(method, path, body, headers, accountId);
    expectDocumented(method, path, result);
    return result;
  }

  /** A POST of other services, which no document describes. */
  inner<T>(path: string, body: object): Promise<TestResponse<T>> {
    return this.request<T>('POST', path, body, {}, this.accountId);
  }

  private async request<T>(
    method: string,
    path: string,
    body: unknown,
    headers: Record<string, string>,
    accountId: string,
  ): Promise<TestResponse<T>> {
    const tier: Tier = 'enterprise';
    const response = await fetch(this.origin + path, {
      method,
      headers: {
        ...identityHeaders(this.config.IDENTITY_KEYS, accountId, { tier }),
        'content-type': 'application/json',
        ...headers,
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(30_000),
    });
    return {
      status: response.status,
      headers: response.headers,
      body: (await response.json()) as T & ProblemBody,
    };
  }
}
