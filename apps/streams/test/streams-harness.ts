import { randomUUID } from 'node:crypto';
import type { AddressInfo } from 'node:net';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  type AlertChangeV1,
  type AlertV1,
  type Band,
  type Identity,
  type StreamName,
  derivedId,
  newId,
  walletKey,
} from '@plimsoll/contracts';
import { outgoing, tombstone } from '@plimsoll/event-bus';
import { createService, Health } from '@plimsoll/service-kit';
import {
  createTestDatabase,
  type EventPublisher,
  identityHeaders,
  samplePosition,
  sampleWallet,
  sampleWatch,
  startPublisher,
  type TestDatabase,
  testIdentityKeys,
  testKafka,
  testRedis,
  waitFor,
} from '@plimsoll/testing';
import type { ClientOptions } from 'ws';
import { AppModule } from '../src/app.module';
import { StreamsConfig } from '../src/config';
import { Watches } from '../src/log/watches';
import { type Opened, type StreamClient, open } from './stream-client';

/** Returns an account that no other test has. */
export const newAccount = (): string => derivedId('acc', randomUUID());

/** The streams service on real Kafka. A publisher plays the other services. */
export class StreamsHarness {
  private wallets = 0;
  private readonly clients: StreamClient[] = [];

  private constructor(
    private readonly database: TestDatabase,
    readonly publisher: EventPublisher,
    private readonly config: StreamsConfig,
    readonly app: NestFastifyApplication,
  ) {}

  get identityKeys(): string {
    return this.config.IDENTITY_KEYS;
  }

  /** Another instance on the same Kafka. It ends with this one's clients, before this one. */
  async another(over: Partial<StreamsConfig> = {}): Promise<StreamsHarness> {
    const config = Object.assign(new StreamsConfig(), this.config, over);
    return new StreamsHarness(this.database, this.publisher, config, await startInstance(config));
  }

  /** Ends only this instance. */
  async stopInstance(): Promise<void> {
    for (const { socket } of this.clients) socket.terminate();
    await this.app.close();
  }

  static async start(over: Partial<StreamsConfig> = {}): Promise<StreamsHarness> {
    const database = await createTestDatabase();
    const log = testKafka();
    const redis = testRedis();
    const publisher = await startPublisher(database.url, log);
    const config = Object.assign(new StreamsConfig(), {
      LOG_LEVEL: 'silent',
      IDENTITY_KEYS: testIdentityKeys(),
      KAFKA_BROKERS: log.brokers.join(','),
      KAFKA_TOPIC_PREFIX: log.topicPrefix,
      REDIS_URL: redis.url,
      REDIS_KEY_PREFIX: redis.keyPrefix,
      ...over,
    });
    return new StreamsHarness(database, publisher, config, await startInstance(config));
  }

  async stop(): Promise<void> {
    await this.stopInstance();
    await this.publisher.stop();
    await this.database.drop();
  }

  /** Tries to open a stream. `identity` null: without the signed header. */
  async open(
    path: string,
    accountId: string,
    identity: Partial<Identity> | null = {},
    options: ClientOptions = {},
  ): Promise<Opened> {
    const { port } = this.app.getHttpServer().address() as AddressInfo;
    const headers = identity === null ? {} : identityHeaders(this.config.IDENTITY_KEYS, accountId, identity);
    const opened = await open(`ws://127.0.0.1:${port}${path}`, { headers, ...options });
    if ('client' in opened) this.clients.push(opened.client);
    return opened;
  }

  async connect(stream: StreamName, accountId: string, options: ClientOptions = {}): Promise<StreamClient> {
    const opened = await this.open(`/v1/streams/${stream}`, accountId, {}, options);
    if (!('client' in opened)) throw new Error(`refused with ${opened.status}: ${opened.body}`);
    return opened.client;
  }

  /** Opens a stream with one subscription and waits for the end of its snapshot. */
  async subscribe(
    stream: StreamName,
    accountId: string,
    filter?: object,
    since?: string,
  ): Promise<StreamClient> {
    const client = await this.connect(stream, accountId);
    client.send({ type: 'subscribe', id: 'all', ...(filter && { filter }), ...(since && { since }) });
    await client.waitFor('subscribed');
    if (since) {
      await client.waitFor('resumed');
      return client;
    }
    if (stream === 'positions') {
      await waitFor(() => client.of('snapshot').at(-1)?.last, { message: 'the snapshot is complete' });
    }
    return client;
  }

  newWallet(): string {
    return sampleWallet((this.wallets += 1));
  }

  /** Publishes that the account watches the wallets, and waits until the service knows it. */
  async watch(accountId: string, ...wallets: string[]): Promise<void> {
    await this.publisher.publish(
      ...wallets.map((wallet) => outgoing('wallet.v1', sampleWatch(accountId, wallet))),
    );
    await waitFor(() => wallets.every((wallet) => this.watches(accountId, wallet)), { message: 'watched' });
  }

  async unwatch(accountId: string, wallet: string): Promise<void> {
    await this.publisher.publish(tombstone('wallet.v1', walletKey(accountId, wallet)));
    await waitFor(() => !this.watches(accountId, wallet), { message: 'not watched any more' });
  }

  async position(...args: Parameters<typeof samplePosition>): Promise<string> {
    const event = outgoing('position.v1', samplePosition(...args));
    await this.publisher.publish(event);
    return event.eventId;
  }

  async alert(accountId: string, wallet: string, band: Band, over: Partial<AlertV1> = {}): Promise<string> {
    const position = samplePosition(wallet, 1, band);
    const event = outgoing('alert.v1', {
      alertId: newId('alt'),
      accountId,
      status: 'active',
      type: 'liquidation_risk',
      severity: 'critical',
      title: 'Liquidation risk',
      message: 'Add collateral or repay debt.',
      position: {
        id: position.id,
        healthFactor: position.healthFactor,
        collateralUsd: position.totalCollateralUsd,
        debtUsd: position.totalDebtUsd,
        protocol: position.protocol,
        chainId: position.chainId,
        wallet,
        band,
      },
      confidenceScore: 0.9,
      createdAt: new Date().toISOString(),
      resolvedAt: null,
      ...over,
    });
    await this.publisher.publish(event);
    return event.eventId;
  }

  /** Publishes a change of an active alert, as the alerts service does. */
  async alertChange(accountId: string, over: Partial<AlertChangeV1> = {}): Promise<string> {
    const event = outgoing('alert-change.v1', {
      alertId: newId('alt'),
      accountId,
      status: 'active',
      type: 'health_factor_warning',
      severity: 'critical',
      title: 'Liquidation risk grew',
      message: 'Add collateral or repay debt.',
      position: null,
      confidenceScore: 0.9,
      createdAt: new Date().toISOString(),
      resolvedAt: null,
      level: 'critical',
      revision: 2,
      change: 'escalated',
      previousSeverity: 'high',
      previousLevel: 'high',
      ...over,
    });
    await this.publisher.publish(event);
    return event.eventId;
  }

  private watches(accountId: string, wallet: string): boolean {
    return this.app.get(Watches).accountsOf(wallet).has(accountId);
  }
}

async function startInstance(config: StreamsConfig): Promise<NestFastifyApplication> {
  const app = await createService(AppModule, config);
  await app.listen(0, '127.0.0.1');
  await waitFor(async () => (await app.get(Health).report(2_000)).status === 'ready', {
    timeoutMs: 30_000,
    message: 'the service has caught up',
  });
  return app;
}
