import { type AlertList, type DeliveryV1, newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { waitFor } from '@plimsoll/testing';
import { AlertsHarness, newAccount } from './alerts-harness';

jest.setTimeout(60_000);

describe('alerts about webhook endpoints', () => {
  let harness: AlertsHarness;

  beforeAll(async () => {
    harness = await AlertsHarness.start();
  }, 120_000);
  afterAll(() => harness.close());

  const startMs = Date.now();
  let moments = 0;
  const scene = () => {
    const accountId = newAccount();
    const webhookId = newId('wh');
    const delivery = (state: DeliveryV1['state'], over: Partial<DeliveryV1> = {}) =>
      outgoing('delivery.v1', {
        deliveryId: newId('del'),
        webhookId,
        accountId,
        eventId: newId('evt'),
        event: 'alert.created',
        state,
        attempt: 5,
        statusCode: 503,
        at: new Date(startMs + (moments += 1)).toISOString(),
        nextAttemptAt: null,
        ...over,
      });
    return { accountId, webhookId, delivery };
  };

  it('failed deliveries reach the account, then that the endpoint is disabled, then that it works again', async () => {
    const { accountId, webhookId, delivery } = scene();
    await harness.publisher.publish(
      delivery('retrying', { attempt: 1 }),
      delivery('failed'),
      delivery('failed'),
      delivery('failed', { webhookDisabled: 'failing' }),
      delivery('skipped', { attempt: 0 }),
    );
    const disabled = ['active webhook_disabled', 'resolved webhook_disabled', 'active webhook_disabled'];
    await harness.changes(accountId, disabled);
    const { body } = await harness.call<AlertList>('GET', '/v1/alerts?status=active', accountId);
    expect(body.alerts).toEqual([
      expect.objectContaining({
        type: 'webhook_disabled',
        severity: 'high',
        title: `Webhook endpoint ${webhookId} is disabled`,
        positionId: null,
      }),
    ]);
    await harness.publisher.publish(delivery('delivered', { attempt: 1, statusCode: 204 }));
    await harness.changes(accountId, [...disabled, 'resolved webhook_disabled']);
  });

  it('ignores repeated and older events', async () => {
    const { accountId, webhookId, delivery } = scene();
    const failed = delivery('failed');
    const delivered = delivery('delivered', { statusCode: 200 });
    const changes = ['active webhook_disabled', 'resolved webhook_disabled'];
    await harness.publisher.publish(failed, delivered);
    await harness.changes(accountId, changes);
    await harness.query('TRUNCATE inbox');
    const last = delivery('delivered', { statusCode: 200 });
    await harness.publisher.publish(failed, delivered, last);
    await waitFor(
      async () => {
        const sql = 'SELECT seen_at FROM webhook_states WHERE webhook_id = $1';
        const [row] = await harness.query<{ seen_at: Date }>(sql, [webhookId]);
        return row?.seen_at.toISOString() === (JSON.parse(last.value!) as DeliveryV1).at;
      },
      { message: 'the last delivery is handled' },
    );
    expect(harness.published(accountId)).toEqual(changes);
  });
});
