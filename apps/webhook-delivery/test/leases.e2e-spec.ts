import { randomUUID } from 'node:crypto';
import { newId } from '@plimsoll/contracts';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { type DeliveryFixture, type Instance, alertOf, createFixture } from './delivery-fixture';

const EVENTS = 20;

describe('what a process holds', () => {
  let fixture: DeliveryFixture;
  let service: Instance;
  let receiver: Receiver;

  beforeAll(async () => {
    fixture = await createFixture();
    service = await fixture.start();
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await fixture.close();
    await receiver.close();
  });

  const untilDelivered = (webhookId: string, count: number): Promise<unknown> =>
    waitFor(
      async () => {
        const { rowCount } = await fixture.pool.query(
          `SELECT FROM deliveries WHERE webhook_id = $1 AND state = 'delivered'`,
          [webhookId],
        );
        return rowCount === count;
      },
      { message: `${count} are delivered` },
    );

  it('stands under one lease for all that came together, which ends with the last of them; a success writes no index', async () => {
    const accountId = newId('acc');
    const { id } = await service.register(accountId, receiver.url, ['alert.created']);
    await fixture.publish(Array.from({ length: EVENTS }, () => alertOf(accountId)));
    await untilDelivered(id, EVENTS);
    expect((await fixture.pool.query('SELECT FROM leases')).rowCount).toBe(0);
    const updates = await waitFor(
      async () => {
        const { rows } = await fixture.pool.query<{ all: number; hot: number }>(
          `SELECT n_tup_upd::int AS all, n_tup_hot_upd::int AS hot FROM pg_stat_user_tables WHERE relname = 'deliveries'`,
        );
        return (rows[0]?.all ?? 0) >= EVENTS && rows[0];
      },
      { message: 'the server has counted the updates' },
    );
    expect(updates).toEqual({ all: EVENTS, hot: EVENTS });
  }, 30_000);

  it('is found when a version without leases held it, too', async () => {
    const accountId = newId('acc');
    const { id } = await service.register(accountId, receiver.url, ['alert.created']);
    await fixture.pool.query(
      `INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, state, due_at, lease, created_at)
       VALUES ($1, $2, $3, $4, 'alert.created', '{}', 'pending', now(), $5, now())`,
      [newId('del'), id, accountId, newId('evt'), randomUUID()],
    );
    await untilDelivered(id, 1);
  }, 30_000);
});
