import { randomUUID } from 'node:crypto';
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
import {
  type EventPublisher,
  ServiceHarness,
  type TestedService,
  createTestDatabase,
  samplePosition,
  sampleWallet,
  sampleWatch,
  waitFor,
} from '@plimsoll/testing';
import type { ClientOptions } from 'ws';
import { AppModule } from '../src/app.module';
import { StreamsConfig } from '../src/config';
import { Watches } from '../src/log/watches';
import { type Opened, type StreamClient, open } from './stream-client';

/** Returns an account that no other test has. */
export const newAccount = (): string => derivedId('acc', randomUUID());

const STREAMS: TestedService<StreamsConfig> = { module: AppModule, config: StreamsConfig };

/** An instance of the service with its clients. A publisher takes the place of the other services. */
export class StreamsHarness extends ServiceHarness<StreamsConfig> {
  publisher!: EventPublisher;
  private wallets = 0;
  private readonly clients: StreamClient[] = [];

  static async start(over: Partial<StreamsConfig> = {}): Promise<StreamsHarness> {
    const harness = new StreamsHarness(STREAMS, await createTestDatabase(), over);
    harness.publisher = await harness.startPublisher();
    await harness.start();
    return harness;
  }

  /** Another instance on the same Kafka. The test stops it before this one closes. */
  async another(over: Partial<StreamsConfig> = {}): Promise<StreamsHarness> {
    const settings = Object.assign({}, this.config, over);
    const other = new StreamsHarness(STREAMS, this.database, settings, this.kafka);
    other.publisher = this.publisher;
    await other.start();
    return other;
  }

  /** Ends the clients, and then this instance. */
  override async stop(): Promise<void> {
    for (const { socket } of this.clients) socket.terminate();
    await super.stop();
  }

  /** Tries to open a stream. `identity` null: without the signed header. */
  async open(
    path: string,
    accountId: string,
    identity: Partial<Identity> | null = {},
    options: ClientOptions = {},
  ): Promise<Opened> {
    const headers = identity === null ? {} : this.headers('GET', path, identity, accountId);
    const opened = await open(`${this.origin.replace('http', 'ws')}${path}`, { headers, ...options });
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
    await waitFor(() => !this.watches(accountId, wallet), { message: 'the wallet is no longer watched' });
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
    return this.part(Watches).accountsOf(wallet).has(accountId);
  }
}
