import { newId } from '@plimsoll/contracts';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { AttemptService } from '../src/delivery/attempt.service';
import { DeliveryFixture, alertOf } from './delivery-fixture';

const EVENTS = 400;

describe('two instances', () => {
  let fixture: DeliveryFixture;
  let receiver: Receiver;

  beforeAll(async () => {
    fixture = await DeliveryFixture.create();
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await fixture.close();
    await receiver.close();
  }, 30_000);

  it('share the deliveries of one endpoint and send none twice', async () => {
    receiver.respondWith(() => new Promise((resolve) => setTimeout(() => resolve({ status: 200 }), 100)));
    const accountId = newId('acc');
    const limits = { DELIVERY_CONCURRENCY_PER_ENDPOINT: 4 };
    const first = await fixture.startInstance(limits);
    const second = await fixture.startInstance(limits, { consumes: false });
    const sent = [first, second].map(({ app }) => jest.spyOn(app.get(AttemptService), 'send'));
    await first.register(accountId, receiver.url, ['alert.created']);
    await fixture.publish(Array.from({ length: EVENTS }, () => alertOf(accountId)));
    await waitFor(
      async () => {
        const { rows } = await fixture.pool.query<{ done: number }>(
          `SELECT count(*)::int AS done FROM deliveries WHERE state = 'delivered'`,
        );
        return rows[0]?.done === EVENTS;
      },
      { timeoutMs: 60_000, message: 'all are delivered' },
    );
    for (const { mock } of sent) expect(mock.calls.length).toBeGreaterThan(EVENTS / 10);
    expect(receiver.requests).toHaveLength(EVENTS);
    expect(new Set(receiver.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(EVENTS);
  }, 90_000);
});
