import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type CreatedWebhook,
  type EventTopic,
  type EventValue,
  type WebhookEventType,
  newId,
} from '@plimsoll/contracts';
import { type OutgoingEvent, appendToOutbox, kafkaConsumers, outgoing } from '@plimsoll/event-bus';
import { createService } from '@plimsoll/service-kit';
import {
  type TestDatabase,
  type TestLog,
  createTestDatabase,
  expectDocumented,
  identityHeaders,
  testIdentityKeys,
  testKafka,
} from '@plimsoll/testing';
import { Pool } from 'pg';
import { AppModule } from '../src/app.module';
import { Clock } from '../src/clock';
import { WebhookDeliveryConfig } from '../src/config';

const FIXTURES = join(__dirname, '../../../libs/contracts/src/events/fixtures');

/** Returns the fixture of a topic's value in libs/contracts, with changes. */
export function valueOf<T extends EventTopic>(topic: T, changes: Partial<EventValue<T>> = {}): EventValue<T> {
  const value = JSON.parse(readFileSync(join(FIXTURES, `${topic}.json`), 'utf8')) as EventValue<T>;
  return { ...value, ...changes };
}

/** An instance of the service. */
export interface Instance {
  app: NestFastifyApplication;
  /** The clock of this instance. Assign `now` to change it. */
  clock: Clock;
  /** Stops the instance gracefully. The fixture stops those that still run. */
  stop(): Promise<void>;
  /** Fails for a response that the OpenAPI document does not describe. */
  call(
    method: 'GET' | 'POST' | 'PATCH' | 'DELETE',
    path: string,
    options?: { accountId?: string; cap?: number | null; body?: object },
  ): Promise<{ status: number; body: unknown }>;
  /** @param isVerified false: the endpoint has not responded to test.ping */
  register(
    accountId: string,
    url: string,
    events: WebhookEventType[],
    isVerified?: boolean,
  ): Promise<CreatedWebhook['webhook']>;
}

export interface StartOptions {
  /**
   * False: the instance only sends due deliveries. Joining the consumer group takes long while a killed
   * member is in it.
   */
  consumes?: boolean;
}

/** A database and topics of one test file, and instances of the service on them. */
export interface DeliveryFixture {
  /** Pool for the service's schema. */
  pool: Pool;
  log: TestLog;
  /** Environment of an instance in its own process. */
  environment: Record<string, string>;
  start(changes?: Partial<WebhookDeliveryConfig>, options?: StartOptions): Promise<Instance>;
  publish(events: readonly OutgoingEvent[]): Promise<void>;
  close(): Promise<void>;
}

/** By default webhooks may go to loopback over plain HTTP, where the receivers are. */
export async function createFixture(log: TestLog = testKafka()): Promise<DeliveryFixture> {
  const database: TestDatabase = await createTestDatabase();
  const { brokers, topicPrefix } = log;
  const settings = {
    LOG_LEVEL: 'silent',
    DATABASE_URL: database.url,
    KAFKA_BROKERS: brokers.join(','),
    KAFKA_TOPIC_PREFIX: topicPrefix,
    IDENTITY_KEYS: testIdentityKeys(),
    WEBHOOK_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_ALLOW_HTTP: true,
    DELIVERY_POLL_MS: 50,
  };
  const pool = new Pool({
    connectionString: database.url,
    max: 2,
    options: '-c search_path=webhook_delivery',
  });
  pool.on('error', () => undefined);
  const running = new Set<NestFastifyApplication>();
  return {
    pool,
    log,
    environment: Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, String(value)])),
    start: async (changes = {}, { consumes = true } = {}) => {
      const config = Object.assign(new WebhookDeliveryConfig(), settings, changes);
      const app = await createService(AppModule, config, kafkaConsumers);
      running.add(app);
      await app.init();
      await app.getHttpAdapter().getInstance().ready();
      if (consumes) await app.startAllMicroservices();
      return instanceOf(app, config, async () => {
        if (running.delete(app)) await app.close();
      });
    },
    publish: (events) => appendToOutbox(pool, events),
    close: async () => {
      for (const app of running) await app.close();
      await pool.end();
      await database.drop();
    },
  };
}

function instanceOf(
  app: NestFastifyApplication,
  config: WebhookDeliveryConfig,
  stop: Instance['stop'],
): Instance {
  const call: Instance['call'] = async (method, path, { accountId = newId('acc'), cap = 5, body } = {}) => {
    const response = await app.inject({
      method,
      url: path,
      headers: {
        ...identityHeaders(config.IDENTITY_KEYS, accountId, { limits: { wallets: 25, webhooks: cap } }),
        'content-type': 'application/json',
      },
      ...(body && { payload: body }),
    });
    const result = { status: response.statusCode, body: response.json<unknown>() };
    expectDocumented(method, path, result);
    return result;
  };
  return {
    app,
    clock: app.get(Clock),
    stop,
    call,
    register: async (accountId, url, events, isVerified = true) => {
      const { status, body } = await call('POST', '/v1/webhooks', {
        accountId,
        cap: null,
        body: { url, events },
      });
      if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
      const { webhook } = body as CreatedWebhook;
      if (isVerified) {
        await app.get(Pool).query('UPDATE webhooks SET verified_at = now() WHERE id = $1', [webhook.id]);
      }
      return webhook;
    },
  };
}

/** Returns an alert of the account as Kafka carries it. */
export function alertOf(accountId: string, changes: Partial<EventValue<'alert.v1'>> = {}): OutgoingEvent {
  return outgoing('alert.v1', valueOf('alert.v1', { accountId, alertId: newId('alt'), ...changes }), {
    requestId: 'cause-1',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  });
}
