import { randomBytes } from 'node:crypto';
import path from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import type { Scope, Tier } from '@plimsoll/contracts';
import { OperationsServer, createService } from '@plimsoll/service-kit';
import {
  type TestDatabase,
  createTestDatabase,
  testIdentityKeys,
  testKafka,
  testRedis,
} from '@plimsoll/testing';
import Redis from 'ioredis';
import { type Dispatcher, getGlobalDispatcher } from 'undici';
import { runAdmin } from '../src/admin/run-admin';
import { AppModule } from '../src/app.module';
import { AdminConfig, GatewayConfig } from '../src/config';
import { GatewayAdapter } from '../src/edge/gateway-adapter';
import { windowEndMs, windowOffsetMs } from '../src/limits/verdict';
import { TestUpstream } from './test-upstream';

const WINDOW_MARGIN_MS = 8_000;

export interface TestResponse {
  status: number;
  headers: Record<string, string>;
  body: Record<string, unknown>;
}
export interface TestKey {
  accountId: string;
  keyId: string;
  key: string;
}
type Options = Partial<Pick<Dispatcher.RequestOptions, 'method' | 'body'>> & {
  headers?: Record<string, string>;
};

/** Gateways with one database, Redis, Kafka and upstream. Every test file has its own. */
export class Fixture {
  readonly upstream: TestUpstream;
  readonly kafka = testKafka();
  readonly redis: { url: string; keyPrefix: string };
  origin = '';
  /** Where a gateway serves its metrics and its readiness, by its origin. */
  readonly operations = new Map<string, string>();
  private readonly apps: NestFastifyApplication[] = [];
  private accounts = 0;

  private constructor(
    readonly database: TestDatabase,
    redisUrl: string | undefined,
    readonly identityKeys: string,
  ) {
    this.upstream = new TestUpstream(identityKeys);
    const shared = testRedis();
    this.redis = { ...shared, url: redisUrl ?? shared.url };
  }

  /**
   * @param redisUrl an own Redis, for tests that stop it
   * @param identityKeys own keys, for tests that change them
   */
  static async start(redisUrl?: string, identityKeys = testIdentityKeys()): Promise<Fixture> {
    const fixture = new Fixture(await createTestDatabase(), redisUrl, identityKeys);
    fixture.origin = await fixture.upstream.start();
    return fixture;
  }

  async stop(): Promise<void> {
    await Promise.all(this.apps.map((app) => app.close()));
    await this.upstream.stop();
    await this.database.drop();
  }

  config(overrides: Partial<GatewayConfig> = {}): GatewayConfig {
    return Object.assign(new GatewayConfig(), {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS_FOLDER: this.identityKeys,
      DATABASE_URL: this.database.url,
      REDIS_URL: this.redis.url,
      REDIS_KEY_PREFIX: this.redis.keyPrefix,
      KAFKA_BROKERS: this.kafka.brokers.join(','),
      KAFKA_TOPIC_PREFIX: this.kafka.topicPrefix,
      UPSTREAM_POSITIONS: this.origin,
      UPSTREAM_MARKET_DATA: this.origin,
      UPSTREAM_ALERTS: this.origin,
      UPSTREAM_WEBHOOK_DELIVERY: this.origin,
      UPSTREAM_STREAMS: this.origin,
      UPSTREAM_SIMULATION: this.origin,
      UPSTREAM_WHALES: this.origin,
      UPSTREAM_AI: this.origin,
      UPSTREAM_EXECUTION: this.origin,
      TRUSTED_PROXIES: '127.0.0.0/8',
      ...overrides,
    });
  }

  /** Starts a gateway. @returns its origin */
  async gateway(overrides: Partial<GatewayConfig> = {}): Promise<string> {
    const { app, origin } = await this.app(overrides);
    this.apps.push(app);
    this.operations.set(origin, app.get(OperationsServer).origin);
    return origin;
  }

  /** Starts a gateway that the test stops itself. */
  async app(
    overrides: Partial<GatewayConfig> = {},
    adapter = new GatewayAdapter(),
  ): Promise<{ app: NestFastifyApplication; origin: string }> {
    const app = await createService(AppModule, this.config(overrides), undefined, adapter);
    await app.listen(0, '127.0.0.1');
    return { app, origin: (await app.getUrl()).replace('[::1]', '127.0.0.1') };
  }

  /** Runs the admin command line in this process. */
  async admin(...words: string[]): Promise<{ code: number; out: string; err: string }> {
    const result = { code: 0, out: '', err: '' };
    result.code = await runAdmin(words, {
      config: () =>
        Object.assign(new AdminConfig(), {
          DATABASE_URL: this.database.url,
          REDIS_URL: this.redis.url,
          REDIS_KEY_PREFIX: this.redis.keyPrefix,
        }),
      identityKeys: () => this.identityKeys,
      secretKeysKms: () => '',
      operationsUrls: () => [...this.operations.values()].join(',') || undefined,
      migrations: path.join(__dirname, '../prisma/migrations'),
      out: (text) => (result.out += text),
      err: (text) => (result.err += text),
    });
    return result;
  }

  /** A new account with one key. Its window does not end during the next seconds. */
  async account(
    tier: Tier,
    options: { scopes?: readonly Scope[]; perMinute?: number } = {},
  ): Promise<TestKey> {
    for (;;) {
      this.accounts += 1;
      const perMinute = options.perMinute ? ['--per-minute', String(options.perMinute)] : [];
      const email = `test-${this.accounts}@example.com`;
      const { out } = await this.admin('accounts', 'create', '--email', email, '--tier', tier, ...perMinute);
      const { account } = JSON.parse(out) as { account: { id: string } };
      const now = Date.now();
      const left = windowEndMs(now, windowOffsetMs(`account:${account.id}`)) - now;
      if (left > WINDOW_MARGIN_MS) return this.key(account.id, options.scopes);
    }
  }

  /** Sets the number of an account's requests today. */
  async useUpDay(accountId: string, calls: number): Promise<void> {
    const redis = new Redis(this.redis.url);
    const day = String(Math.floor(Date.now() / 86_400_000));
    await redis.hset(`${this.redis.keyPrefix}limit:account:${accountId}`, 'd', day, 'e', String(calls));
    await redis.quit();
  }

  async key(accountId: string, scopes?: readonly Scope[]): Promise<TestKey> {
    const scoped = scopes ? ['--scopes', scopes.join(',')] : [];
    const { out, err } = await this.admin('keys', 'create', '--account', accountId, ...scoped);
    if (out === '') throw new Error(err);
    const { key } = JSON.parse(out) as { key: { id: string; key: string } };
    return { accountId, keyId: key.id, key: key.key };
  }
}

/**
 * Sends a request to a gateway. A request without a key has a new client address, unless the headers contain
 * one.
 */
export async function call(
  gateway: string,
  target: string,
  key?: string,
  options: Options = {},
): Promise<TestResponse> {
  const { statusCode, headers, body } = await getGlobalDispatcher().request({
    origin: gateway,
    path: target,
    method: options.method ?? 'GET',
    body: options.body ?? null,
    headers: { 'x-forwarded-for': randomAddress(), ...(key && { 'x-api-key': key }), ...options.headers },
  });
  const text = await body.text();
  return {
    status: statusCode,
    headers: Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)])),
    body: text === '' ? {} : (JSON.parse(text) as Record<string, unknown>),
  };
}

export function randomAddress(): string {
  return `203.${randomBytes(3).join('.')}`;
}

/** Asserts the five headers of every response, and the daily pair when the tier has a daily limit. */
export function expectFiveHeaders(headers: Record<string, string | undefined>, tier: Tier): void {
  expect(headers).toMatchObject({
    'x-ratelimit-limit': expect.stringMatching(/^\d+$/),
    'x-ratelimit-remaining': expect.stringMatching(/^\d+$/),
    'x-ratelimit-reset': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
    'x-service-tier': tier,
    'x-request-id': expect.stringMatching(/^[A-Za-z0-9._-]{1,128}$/),
  });
  const daily = tier === 'enterprise' ? undefined : expect.stringMatching(/^\d+$/);
  expect(headers['x-dailylimit-limit']).toEqual(daily);
  expect(headers['x-dailylimit-remaining']).toEqual(daily);
}
