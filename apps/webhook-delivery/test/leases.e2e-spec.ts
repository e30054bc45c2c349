import { randomUUID } from 'node:crypto';
import { newId } from '@plimsoll/contracts';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { DeliveryFixture, type Instance, alertOf } from './delivery-fixture';
import { deliveryScene } from './delivery-scene';

const EVENTS = 20;

describe('deliveries that a process holds', () => {
  const scene = deliveryScene();

  const untilDelivered = (webhookId: string, count: number): Promise<unknown> =>
    waitFor(
      async () => {
        const { rowCount } = await scene.fixture.pool.query(
          `SELECT FROM deliveries WHERE webhook_id = $1 AND state = 'delivered'`,
          [webhookId],
        );
        return rowCount === count;
      },
      { message: `${count} are delivered` },
    );

  it('have one lease for all that arrived together, which ends with the last of them; a success writes no index', async () => {
    const accountId = newId('acc');
    const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
    await scene.fixture.publish(Array.from({ length: EVENTS }, () => alertOf(accountId)));
    await untilDelivered(id, EVENTS);
    expect((await scene.fixture.pool.query('SELECT FROM leases')).rowCount).toBe(0);
    const updates = await waitFor(
      async () => {
        const { rows } = await scene.fixture.pool.query<{ all: number; hot: number }>(
          `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'deliveries'`,
        );
        return (rows[0]?.all ?? 0) >= EVENTS && rows[0];
      },
      { message: 'the server has counted the updates' },
    );
    expect(updates).toEqual({ all: EVENTS, hot: EVENTS });
  }, 30_000);

  it('are found when an earlier release without leases held them', async () => {
    const accountId = newId('acc');
    const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
    await scene.fixture.pool.query(
      `INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, state, due_at, lease, created_at)
       VALUES ($1, $2, $3, $4, 'alert.created', '{}', 'pending', now(), $5, now())`,
      [newId('del'), id, accountId, newId('evt'), randomUUID()],
    );
    await untilDelivered(id, 1);
  }, 30_000);
});

describe('deliveries beyond the capacity', () => {
  const PER_SECOND = 200;
  let fixture: DeliveryFixture;
  let service: Instance;
  let receiver: Receiver;
  let accountId: string;
  let events: number;

  /** The endpoint is known to be fast, and far more deliveries arrive than its rate allows. */
  beforeEach(async () => {
    fixture = await DeliveryFixture.create();
    receiver = await startReceiver();
    service = await fixture.startInstance({
      DELIVERY_RATE_PER_ENDPOINT: PER_SECOND,
      // Enough that it counts as fast even when each response takes 100 ms on a busy machine.
      DELIVERY_CONCURRENCY_PER_ENDPOINT: 16,
    });
    accountId = newId('acc');
    await service.register(accountId, receiver.url, ['alert.created']);
    events = 0;
    await untilWaiting(async () => (await waiting()) > 0, 'some wait under leases');
  }, 60_000);
  afterEach(async () => {
    await fixture.close();
    await receiver.close();
  });

  const publish = async (count: number): Promise<void> => {
    events += count;
    await fixture.publish(Array.from({ length: count }, () => alertOf(accountId)));
  };
  const count = async (sql: string): Promise<number> => {
    const { rows } = await fixture.pool.query<{ count: number }>(`SELECT count(*)::int AS count FROM ${sql}`);
    return rows[0]?.count ?? 0;
  };
  const waiting = (): Promise<number> => count('leases WHERE NOT is_held');
  const delivered = (): Promise<number> => count(`deliveries WHERE state = 'delivered'`);
  const untilAllDelivered = (): Promise<unknown> =>
    waitFor(async () => (await delivered()) === events, { timeoutMs: 40_000, message: 'all are delivered' });
  /** A lease that is locked when its last result is stored is deleted when it ends, within 15 s. */
  const untilNoLease = (): Promise<unknown> =>
    waitFor(async () => (await count('leases')) === 0, { message: 'no lease remains' });
  /** Publishes far more than the rate allows, to an endpoint of known speed. */
  const publishTooMuch = async (): Promise<void> => {
    const before = receiver.requests.length;
    await publish(PER_SECOND / 2);
    await waitFor(() => receiver.requests.length > before + 10, { message: 'the endpoint is known' });
    await publish(3 * PER_SECOND);
  };
  /**
   * A busy machine may send all of it before the check, or treat the endpoint as slow. Then it publishes
   * again.
   */
  const untilWaiting = (isSeen: () => Promise<unknown>, message: string): Promise<unknown> =>
    waitFor(
      async () => {
        if ((await delivered()) === events) await publishTooMuch();
        return isSeen();
      },
      { message, intervalMs: 5 },
    );
  const expectEachOnce = (): void => {
    expect(receiver.requests).toHaveLength(events);
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(events);
    for (const { headers, body } of receiver.requests) {
      expect(JSON.parse(body.toString())).toMatchObject({ eventId: headers['x-service-event-id'] });
    }
  };

  it('wait under leases that are claimed as a whole, and are shown as due', async () => {
    const nextAttemptOfNewest = async (): Promise<unknown> => {
      const { rows } = await fixture.pool.query<{ id: string }>(
        `SELECT id FROM (SELECT unnest(delivery_ids) AS id FROM leases WHERE NOT is_held) waiting ORDER BY id DESC LIMIT 1`,
      );
      const { body } = await service.call('GET', `/v1/deliveries/${rows[0]?.id}`, { accountId });
      return (body as { delivery?: { nextAttemptAt: string | null } }).delivery?.nextAttemptAt;
    };
    // The delivery may just have been claimed.
    await untilWaiting(nextAttemptOfNewest, 'one that waits has a next attempt');
    await untilAllDelivered();
    expectEachOnce();
    await untilNoLease();
  }, 60_000);

  it('are sent by another instance when this one stops', async () => {
    // Five seconds of work, so that some remains when the instance stops, even on a busy machine.
    await publish(5 * PER_SECOND);
    await waitFor(async () => (await count('deliveries')) === events, { message: 'all are stored' });
    await service.stop();
    expect(await waiting()).toBeGreaterThan(0);
    expect(await count('leases WHERE is_held')).toBe(0);
    await fixture.startInstance({}, { consumes: false });
    await untilAllDelivered();
    expectEachOnce();
    await untilNoLease();
  }, 60_000);

  it('are claimed one by one when the endpoint becomes slow', async () => {
    receiver.respondWith(() => new Promise((resolve) => setTimeout(() => resolve({ status: 200 }), 300)));
    // The intake takes turns, so at first nothing waits because little is stored.
    await waitFor(async () => (await count('deliveries')) === events, { message: 'all are stored' });
    await waitFor(async () => (await waiting()) === 0, { message: 'nothing waits under leases' });
    expect(await count('deliveries WHERE due_at IS NOT NULL')).toBeGreaterThan(PER_SECOND);
    receiver.respondWith(() => ({ status: 200 }));
    await untilAllDelivered();
    expectEachOnce();
  }, 60_000);
});
