import { newId, firstIdAt } from '@plimsoll/contracts';
import { RetentionService } from '../src/retention/retention.service';
import { DeliveryFixture, type Instance } from './delivery-fixture';

const DAY_MS = 86_400_000;

describe('RetentionService', () => {
  let fixture: DeliveryFixture;
  let service: Instance;
  let retention: RetentionService;

  beforeAll(async () => {
    fixture = await DeliveryFixture.create();
    service = await fixture.startInstance({}, { consumes: false });
    retention = service.app.get(RetentionService);
  }, 60_000);
  afterAll(() => fixture.close(), 30_000);

  /** Inserts deliveries of one age, with one attempt each. */
  const insert = (webhookId: string, count: number, ageMs: number, dueAt: Date | null = null) => {
    const at = Date.now() - ageMs;
    return fixture.pool.query(
      `WITH made AS (
         INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, state, attempts, due_at, created_at)
         SELECT $1 || lpad(n::text, 6, '0'), $2, 'acc', 'evt_' || $1 || n, 'alert.created', '{}', 'delivered', 1, $3, $4
         FROM generate_series(1, $5::int) n RETURNING id)
       INSERT INTO attempts (delivery_id, attempt, started_at, duration_ms, response_head)
       SELECT id, 1, $4, 1, '' FROM made`,
      [firstIdAt('del', at).slice(0, 20), webhookId, dueAt, new Date(at), count],
    );
  };
  const count = async (table: string): Promise<number> => {
    const { rows } = await fixture.pool.query<{ count: string }>(`SELECT count(*) FROM ${table}`);
    return Number(rows[0]?.count);
  };

  it('deletes rows older than the configured days, in batches, with their attempts', async () => {
    const { id } = await service.register(newId('acc'), 'http://127.0.0.1:2/', ['alert.created']);
    await insert(id, 2_500, 31 * DAY_MS);
    await insert(id, 5, 29 * DAY_MS);
    await insert(id, 1, 40 * DAY_MS, new Date(Date.now() + DAY_MS));
    expect(await retention.clean()).toMatchObject({ deliveries: 2_500 });
    expect([await count('deliveries'), await count('attempts')]).toEqual([6, 6]);
    expect(await retention.clean()).toMatchObject({ deliveries: 0 });
  });

  it('deletes a deleted endpoint when the log has none of its rows', async () => {
    const accountId = newId('acc');
    const { id } = await service.register(accountId, 'http://127.0.0.1:2/', ['alert.created']);
    await insert(id, 1, 10 * DAY_MS);
    await service.call('DELETE', `/v1/webhooks/${id}`, { accountId });
    expect(await retention.clean()).toMatchObject({ webhooks: 0 });
    service.clock.now = () => Date.now() + 31 * DAY_MS;
    expect(await retention.clean()).toMatchObject({ webhooks: 1 });
    service.clock.now = Date.now;
    const { rowCount } = await fixture.pool.query('SELECT 1 FROM webhooks WHERE id = $1', [id]);
    expect(rowCount).toBe(0);
  });

  it('deletes a secret whose overlap has ended', async () => {
    const accountId = newId('acc');
    const { id } = await service.register(accountId, 'http://127.0.0.1:2/', ['alert.created']);
    const secrets = async () =>
      (
        await fixture.pool.query<{ current: Buffer; next: Buffer | null }>(
          'SELECT secret_sealed AS current, next_secret_sealed AS next FROM webhooks WHERE id = $1',
          [id],
        )
      ).rows[0];
    await service.call('POST', `/v1/webhooks/${id}/rotate-secret`, { accountId, body: { overlapHours: 1 } });
    const before = await secrets();
    expect(await retention.clean()).toMatchObject({ secrets: 0 });
    service.clock.now = () => Date.now() + 3_600_000;
    expect(await retention.clean()).toMatchObject({ secrets: 1 });
    service.clock.now = Date.now;
    expect(await secrets()).toEqual({ current: before?.next, next: null });
  });
});
