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
import { Clock } from '@plimsoll/service-kit';
import { ServiceHarness, type TestLog, createTestDatabase } from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
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

/**
 * A database and topics of one test file, and instances of the service on them. Webhooks may go to loopback
 * over plain HTTP, where the receivers are.
 */
export class DeliveryFixture extends ServiceHarness<WebhookDeliveryConfig> {
  static async create(log?: TestLog): Promise<DeliveryFixture> {
    return new DeliveryFixture(
      {
        module: AppModule,
        config: WebhookDeliveryConfig,
        schema: 'webhook_delivery',
        consumers: kafkaConsumers,
      },
      await createTestDatabase(),
      {
        WEBHOOK_SECRET_KEYS: `test:${randomBytes(32).toString('base64')}`,
        WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
        WEBHOOK_ALLOW_HTTP: true,
        DELIVERY_POLL_MS: 50,
      },
      log,
    );
  }

  /** Environment of an instance in its own process. */
  get environment(): Record<string, string> {
    return Object.fromEntries(Object.entries(this.config).map(([name, value]) => [name, String(value)]));
  }

  publish(events: readonly OutgoingEvent[]): Promise<void> {
    return appendToOutbox(this.pool, events);
  }

  /** @param options.consumes false: the instance only sends due deliveries */
  async startInstance(
    changes: Partial<WebhookDeliveryConfig> = {},
    options: { consumes?: boolean } = {},
  ): Promise<Instance> {
    const app = await this.start(changes, options);
    const call: Instance['call'] = async (method, path, { accountId = newId('acc'), cap = 5, body } = {}) => {
      const as = { limits: { wallets: 25, webhooks: cap } };
      const response = await this.request<unknown>(method, path, { body, accountId, as }, app);
      return { status: response.status, body: response.body };
    };
    return {
      app,
      clock: app.get(Clock),
      stop: () => this.stop(app),
      call,
      register: async (accountId, url, events, isVerified = true) => {
        const { status, body } = await call('POST', '/v1/webhooks', {
          accountId,
          cap: null,
          body: { url, events },
        });
        if (status !== 201) throw new Error(`${status} ${JSON.stringify(body)}`);
        const { webhook } = body as CreatedWebhook;
        const verify = 'UPDATE webhooks SET verified_at = now() WHERE id = $1';
        if (isVerified) await this.pool.query(verify, [webhook.id]);
        return webhook;
      },
    };
  }

  /** Tests of faults start instances whose dependencies are unavailable. */
  protected override async consume(app: NestFastifyApplication): Promise<void> {
    await app.startAllMicroservices();
  }
}

/** Returns an alert of the account as Kafka carries it. */
export function alertOf(accountId: string, changes: Partial<EventValue<'alert.v1'>> = {}): OutgoingEvent {
  return outgoing('alert.v1', valueOf('alert.v1', { accountId, alertId: newId('alt'), ...changes }), {
    requestId: 'cause-1',
    traceparent: `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`,
  });
}
