import { randomUUID } from 'node:crypto';
import { type AlertList, type Identity, type PriceV1, derivedId } from '@plimsoll/contracts';
import { kafkaConsumers, outgoing } from '@plimsoll/event-bus';
import {
  type EventCollector,
  type EventPublisher,
  ServiceHarness,
  type ServiceResponse,
  type TestLog,
  createTestDatabase,
  sampleWatch,
  waitFor,
} from '@plimsoll/testing';
import { AppModule } from '../src/app.module';
import { AlertsConfig } from '../src/config';
import { type TestUpstream, startTestUpstream } from './test-upstream';

/** An account that no other test has. */
export const newAccount = (): string => derivedId('acc', randomUUID());

const ALERTS = { module: AppModule, config: AlertsConfig, schema: 'alerts', consumers: kafkaConsumers };

/** The alerts service on real parts, with a publisher and a collector in place of the other services. */
export class AlertsHarness extends ServiceHarness<AlertsConfig> {
  publisher!: EventPublisher;
  alerts!: EventCollector<'alert.v1'>;
  alertChanges!: EventCollector<'alert-change.v1'>;
  rules!: EventCollector<'rule.v1'>;
  upstream!: TestUpstream;

  /** @param kafka topics that another service of the test uses too */
  static async start(kafka?: TestLog): Promise<AlertsHarness> {
    const upstream = await startTestUpstream();
    const settings = {
      DUE_POLL_MS: 20,
      ORACLE_POLL_MS: 20,
      PARAMETER_POLL_MS: 20,
      UPSTREAM_POSITIONS: upstream.origin,
      UPSTREAM_WEBHOOK_DELIVERY: upstream.origin,
      UPSTREAM_SIMULATION: upstream.origin,
      UPSTREAM_EXECUTION: upstream.origin,
      RISK_POLL_MS: 50,
      SILENCE_POLL_MS: 20,
      SILENCE_GRACE_MS: 0,
      WHALE_EXPIRY_POLL_MS: 20,
    };
    const harness = new AlertsHarness(ALERTS, await createTestDatabase(), settings, kafka);
    harness.upstream = upstream;
    harness.onClose(() => upstream.close());
    harness.publisher = await harness.startPublisher();
    await harness.start();
    harness.alerts = await harness.collect('alert.v1');
    harness.alertChanges = await harness.collect('alert-change.v1');
    harness.rules = await harness.collect('rule.v1');
    return harness;
  }

  async restart(between: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    await this.stop();
    await between();
    await this.start();
  }

  /** GET /v1/alerts. */
  list(accountId: string, query = '', as: Partial<Identity> = {}): Promise<ServiceResponse<AlertList>> {
    return this.request('GET', `/v1/alerts${query}`, { accountId, as });
  }

  /** Sends a request of a business account. */
  call<T>(
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    url: string,
    accountId: string,
    body?: object,
    as: Partial<Identity> = {},
    headers: Record<string, string> = {},
  ): Promise<ServiceResponse<T>> {
    return this.undocumented(method, url, { accountId, body, as: { tier: 'business', ...as }, headers });
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
