import { newId } from '@plimsoll/contracts';
import { findFreePort } from '@plimsoll/local-parts';
import type { OutgoingEvent } from '@plimsoll/event-bus';
import { type Receiver, startProcess, startReceiver, waitFor } from '@plimsoll/testing';
import type { PoolClient } from 'pg';
import { DeliveryFixture, alertOf } from './delivery-fixture';

const MANY = 1_000;
const WAIT = { timeoutMs: 60_000 };

describe('many events of one account', () => {
  let fixture: DeliveryFixture;
  let receiver: Receiver;
  let heavy: string;
  /** Has the heavy account's first turn, so that its events wait. */
  let holder: PoolClient | undefined;

  beforeEach(async () => {
    fixture = await DeliveryFixture.create();
    receiver = await startReceiver();
    heavy = newId('acc');
  }, 60_000);
  afterEach(async () => {
    await release();
    await fixture.close();
    await receiver.close();
  }, 30_000);

  async function setUp(): Promise<void> {
    const instance = await fixture.startInstance({}, { consumes: false });
    await instance.register(heavy, receiver.url, ['alert.created']);
    await instance.stop();
  }

  /** No instance may run, because it would take the turn. */
  async function holdTurns(): Promise<void> {
    const insert = `INSERT INTO waiting_events (account_id, events, created_at) VALUES ($1, '[]', now())`;
    holder = await fixture.pool.connect();
    await holder.query(insert, [heavy]);
    await holder.query('BEGIN');
    await holder.query('SELECT FROM waiting_events WHERE account_id = $1 FOR UPDATE', [heavy]);
  }

  async function release(): Promise<void> {
    await holder?.query('ROLLBACK');
    holder?.release();
    holder = undefined;
  }

  const count = async (sql: string): Promise<number> => {
    const { rows } = await fixture.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`);
    return rows[0]?.count ?? 0;
  };
  const waiting = (): Promise<number> =>
    count('waiting_events, json_array_elements(waiting_events.events::json)');
  const delivered = (): Promise<number> => count(`deliveries WHERE state = 'delivered'`);
  const alertsOf = (accountId: string, length: number): OutgoingEvent[] =>
    Array.from({ length }, () => alertOf(accountId));
  const expectEachOnce = async (events: readonly OutgoingEvent[]): Promise<void> => {
    await waitFor(async () => (await delivered()) === events.length, {
      ...WAIT,
      message: 'all are delivered',
    });
    const ids = receiver.requests.map(({ headers }) => String(headers['x-service-event-id']));
    expect(ids.sort()).toEqual(events.map(({ eventId }) => eventId).sort());
    expect(await count('waiting_events')).toBe(0);
  };

  it('wait for its turns, while the events of others behind them are delivered', async () => {
    await setUp();
    await holdTurns();
    const service = await fixture.startInstance();
    // Several, so that some share the partition of the heavy account.
    const light = Array.from({ length: 8 }, () => newId('acc'));
    for (const accountId of light) await service.register(accountId, receiver.url, ['alert.created']);
    const many = alertsOf(heavy, MANY);
    const few = light.flatMap((accountId) => alertsOf(accountId, 1));
    await fixture.publish([...many, ...few]);
    await waitFor(async () => (await delivered()) === few.length, {
      ...WAIT,
      message: 'the others are served',
    });
    await waitFor(async () => (await waiting()) === MANY, { ...WAIT, message: 'all are stored' });
    expect(await delivered()).toBe(few.length);
    await release();
    await expectEachOnce([...many, ...few]);
  }, 120_000);

  it('are delivered once by another instance when the process that stored them is killed', async () => {
    await setUp();
    await holdTurns();
    const child = await startProcess('webhook-delivery', {
      ...fixture.environment,
      PORT: String(await findFreePort()),
    });
    const many = alertsOf(heavy, MANY);
    await fixture.publish(many);
    await waitFor(async () => (await waiting()) === MANY, { ...WAIT, message: 'all are stored' });
    await child.end('SIGKILL');
    await release();
    await fixture.startInstance();
    // Kafka has them again, as after a crash before the offsets were committed.
    await fixture.publish(many);
    await expectEachOnce(many);
    expect(await count('deliveries')).toBe(MANY);
  }, 120_000);

  it('become deliveries in their order, also on two instances, and share the turns with other accounts', async () => {
    const first = await fixture.startInstance();
    await fixture.startInstance({}, { consumes: false });
    const accounts = [heavy, newId('acc'), newId('acc')];
    for (const accountId of accounts) await first.register(accountId, receiver.url, ['alert.created']);
    const events = accounts.map((accountId) => alertsOf(accountId, MANY / 2));
    await fixture.publish(events.flat());
    await expectEachOnce(events.flat());
    const { rows } = await fixture.pool.query<{ eventId: string; createdAt: Date }>(
      'SELECT event_id AS "eventId", created_at AS "createdAt" FROM deliveries',
    );
    const createdAt = new Map(rows.map((row) => [row.eventId, row.createdAt.getTime()]));
    for (const own of events) {
      const times = own.map(({ eventId }) => createdAt.get(eventId) ?? NaN);
      expect(times).toEqual(times.toSorted((a, b) => a - b));
    }
  }, 120_000);
});
