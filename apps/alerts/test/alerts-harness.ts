import { randomUUID } from 'node:crypto';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type AlertList,
  type Identity,
  type PriceV1,
  type ProblemBody,
  derivedId,
} from '@plimsoll/contracts';
import { kafkaConsumers, outgoing } from '@plimsoll/event-bus';
import { createService, Health } from '@plimsoll/service-kit';
import {
  collectEvents,
  createTestDatabase,
  type EventCollector,
  type EventPublisher,
  expectDocumented,
  identityHeaders,
  sampleWatch,
  startPublisher,
  type TestDatabase,
  type TestLog,
  testIdentityKeys,
  testKafka,
  waitFor,
} from '@plimsoll/testing';
import { Client } from 'pg';
import { AppModule } from '../src/app.module';
import { AlertsConfig } from '../src/config';
import { type TestUpstream, startTestUpstream } from './test-upstream';

/** An account that no other test has. */
export const newAccount = (): string => derivedId('acc', randomUUID());

/** The alerts service on real parts, with a publisher and a collector in place of the other services. */
export class AlertsHarness {
  private constructor(
    readonly database: TestDatabase,
    readonly log: TestLog,
    readonly publisher: EventPublisher,
    readonly alerts: EventCollector<'alert.v1'>,
    readonly alertChanges: EventCollector<'alert-change.v1'>,
    readonly rules: EventCollector<'rule.v1'>,
    readonly upstream: TestUpstream,
    private readonly config: AlertsConfig,
    public app: NestFastifyApplication,
  ) {}

  static async start(): Promise<AlertsHarness> {
    const database = await createTestDatabase();
    const log = testKafka();
    const publisher = await startPublisher(database.url, log);
    const upstream = await startTestUpstream();
    const config = Object.assign(new AlertsConfig(), {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS: testIdentityKeys(),
      DATABASE_URL: database.url,
      KAFKA_BROKERS: log.brokers.join(','),
      KAFKA_TOPIC_PREFIX: log.topicPrefix,
      DUE_POLL_MS: 20,
      UPSTREAM_POSITIONS: upstream.origin,
      UPSTREAM_WEBHOOK_DELIVERY: upstream.origin,
      UPSTREAM_SIMULATION: upstream.origin,
      UPSTREAM_EXECUTION: upstream.origin,
      RISK_POLL_MS: 50,
      SILENCE_POLL_MS: 20,
      SILENCE_GRACE_MS: 0,
      WHALE_EXPIRY_POLL_MS: 20,
    });
    const app = await startService(config);
    const alerts = await collectEvents(log, 'alert.v1');
    const changes = await collectEvents(log, 'alert-change.v1');
    const rules = await collectEvents(log, 'rule.v1');
    return new AlertsHarness(database, log, publisher, alerts, changes, rules, upstream, config, app);
  }

  async restart(between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.app.close();
    await between();
    this.app = await startService(this.config);
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.alerts.stop();
    await this.alertChanges.stop();
    await this.rules.stop();
    await this.upstream.close();
    await this.publisher.stop();
    await this.database.drop();
  }

  /** GET /v1/alerts; fails for a response that the OpenAPI document does not describe. */
  async list(
    accountId: string,
    query = '',
    identity: Partial<Identity> = {},
  ): Promise<{ status: number; body: AlertList & ProblemBody }> {
    const headers = identityHeaders(this.config.IDENTITY_KEYS, accountId, identity);
    const url = `/v1/alerts${query}`;
    const response = await this.app.inject({ method: 'GET', url, headers });
    const result = { status: response.statusCode, body: response.json<AlertList & ProblemBody>() };
    expectDocumented('GET', url, result);
    return result;
  }

  async call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    accountId: string,
    body?: object,
    identity: Partial<Identity> = {},
    more: Record<string, string> = {},
  ): Promise<{ status: number; body: T & ProblemBody; headers: Record<string, unknown> }> {
    const known = identityHeaders(this.config.IDENTITY_KEYS, accountId, { tier: 'business', ...identity });
    const headers = { ...known, ...more };
    const result = await this.app.inject({ method, url, headers, ...(body && { payload: body }) });
    return {
      status: result.statusCode,
      body: JSON.parse(result.body) as T & ProblemBody,
      headers: result.headers,
    };
  }

  /**
   * Waits until exactly these changes of the account were published, oldest first: `active liquidation_risk`.
   */
  async changes(accountId: string, expected: readonly string[]): Promise<void> {
    await waitFor(() => this.published(accountId).length >= expected.length, {
      message: `${expected.length} alert events; there are ${this.published(accountId).join(', ') || 'none'}`,
    });
    expect(this.published(accountId)).toEqual(expected);
  }

  published(accountId: string): string[] {
    return this.alerts.events.flatMap(({ value }) =>
      value?.accountId === accountId ? [`${value.status} ${value.type}`] : [],
    );
  }

  /** Waits until exactly these changes of active alerts were published, oldest first: `escalated critical`. */
  async changesBetween(accountId: string, expected: readonly string[]): Promise<void> {
    const published = (): string[] =>
      this.alertChanges.events.flatMap(({ value }) =>
        value?.accountId === accountId ? [`${value.change} ${value.level}`] : [],
      );
    await waitFor(() => published().length >= expected.length, {
      message: `${expected.length} alert changes; there are ${published().join(', ') || 'none'}`,
    });
    expect(published()).toEqual(expected);
  }

  async query<R extends object>(sql: string, values: unknown[] = []): Promise<R[]> {
    const client = new Client({
      connectionString: this.database.url,
      options: '-c search_path=alerts',
      query_timeout: 10_000,
    });
    await client.connect();
    try {
      return (await client.query<R & Record<string, unknown>>(sql, values)).rows;
    } finally {
      await client.end();
    }
  }

  /** Publishes that the account watches the wallet, and waits until the service has handled it. */
  async watch(accountId: string, wallet: string): Promise<void> {
    await this.publisher.publish(outgoing('wallet.v1', sampleWatch(accountId, wallet)));
    const sql = 'SELECT 1 FROM watches WHERE account_id = $1 AND wallet = $2 AND watching';
    await waitFor(async () => (await this.query(sql, [accountId, wallet])).length === 1, {
      message: `${accountId} watches ${wallet}`,
    });
  }

  /** Waits until this price has been handled. */
  async priced({ asset, publishedAt }: PriceV1): Promise<void> {
    const sql = 'SELECT 1 FROM prices WHERE asset = $1 AND published_at >= $2';
    await waitFor(async () => (await this.query(sql, [asset, publishedAt])).length === 1, {
      message: `the price of ${asset} of ${publishedAt} is handled`,
    });
  }

  /** Waits until the position's state of this sequence has been handled. */
  async handled(positionId: string, sequence: number): Promise<void> {
    await waitFor(
      async () => {
        const [row] = await this.query<{ sequence: string }>('SELECT sequence FROM positions WHERE id = $1', [
          positionId,
        ]);
        return Number(row?.sequence) >= sequence;
      },
      { message: `sequence ${sequence} of ${positionId} is handled` },
    );
  }
}

async function startService(config: AlertsConfig): Promise<NestFastifyApplication> {
  const app = await createService(AppModule, config, kafkaConsumers);
  await app.startAllMicroservices();
  await app.init();
  await waitFor(async () => (await app.get(Health).report(2_000)).status === 'ready', {
    timeoutMs: 30_000,
    message: 'the service is ready',
  });
  return app;
}
