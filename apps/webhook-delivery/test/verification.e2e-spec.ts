import { newId } from '@plimsoll/contracts';
import { type Receiver, type ReceivedRequest, startReceiver, waitFor } from '@plimsoll/testing';
import { alertOf } from './delivery-fixture';
import { deliveryScene } from './delivery-scene';

const EVENTS = 250;

const isPing = ({ headers }: Pick<ReceivedRequest, 'headers'>): boolean =>
  headers['x-service-event'] === 'test.ping';

describe('an endpoint that has not responded to test.ping', () => {
  const scene = deliveryScene();
  let receiver: Receiver;
  beforeEach(async () => {
    receiver = await startReceiver();
  });
  afterEach(() => receiver.close());

  const publish = async (accountId: string): Promise<string> => {
    const { id } = await scene.service.register(accountId, receiver.url, ['alert.created'], false);
    await scene.fixture.publish(Array.from({ length: EVENTS }, () => alertOf(accountId)));
    return id;
  };
  const events = (): ReceivedRequest[] => receiver.requests.filter((request) => !isPing(request));
  const pings = (): ReceivedRequest[] => receiver.requests.filter(isPing);
  const stateCounts = async (webhookId: string): Promise<Record<string, number>> => {
    const { rows } = await scene.fixture.pool.query<{ state: string; count: number }>(
      'SELECT state, count(*)::int AS count FROM deliveries WHERE webhook_id = $1 AND NOT is_test GROUP BY state',
      [webhookId],
    );
    return Object.fromEntries(rows.map(({ state, count }) => [state, count]));
  };

  it('is sent test.ping with the 101st event of a minute, and then the events that waited', async () => {
    await publish(newId('acc'));
    await waitFor(() => events().length === EVENTS, { timeoutMs: 30_000, message: 'all events arrive' });
    expect(pings()).toHaveLength(1);
    expect(receiver.requests.findIndex(isPing)).toBeLessThanOrEqual(100);
  }, 60_000);

  it('receives 100 events a minute until it responds with 2xx, and no event is dropped', async () => {
    receiver.respondWith((request) => ({ status: isPing(request) ? 500 : 200 }));
    const accountId = newId('acc');
    const webhookId = await publish(accountId);
    await waitFor(() => pings().length === 1, { timeoutMs: 30_000, message: 'the endpoint is pinged' });
    // The intake takes turns, so the last events become deliveries after the first ones are delivered.
    const areAllIn = ({ delivered, pending }: Record<string, number>): boolean =>
      delivered === 100 && pending === EVENTS - 100;
    await waitFor(async () => areAllIn(await stateCounts(webhookId)), {
      timeoutMs: 30_000,
      message: '100 events are delivered and the others wait',
    });
    expect(await stateCounts(webhookId)).toEqual({ delivered: 100, pending: EVENTS - 100 });
    expect(events()).toHaveLength(100);

    receiver.respondWith(() => ({ status: 200 }));
    const { body } = await scene.service.call('POST', `/v1/webhooks/${webhookId}/test`, { accountId });
    expect(body).toMatchObject({ success: true });
    await waitFor(async () => (await stateCounts(webhookId))['delivered'] === EVENTS, {
      timeoutMs: 30_000,
      message: 'the events that waited are delivered',
    });
    expect(events()).toHaveLength(EVENTS);
  }, 90_000);

  it('must respond again after its URL has changed', async () => {
    const accountId = newId('acc');
    const { id } = await scene.service.register(accountId, receiver.url, ['alert.created']);
    await scene.service.call('PATCH', `/v1/webhooks/${id}`, {
      accountId,
      body: { url: `${receiver.url}/new` },
    });
    const { rows } = await scene.fixture.pool.query('SELECT verified_at FROM webhooks WHERE id = $1', [id]);
    expect(rows).toEqual([{ verified_at: null }]);
  });
});
