import { createHmac } from 'node:crypto';
import { derivedId, newId, walletKey } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { type ReceivedRequest, collectEvents, sampleWatch, startReceiver, waitFor } from '@plimsoll/testing';
import { WalletConsumer } from '../src/intake/wallet.consumer';
import { alertOf, valueOf } from './delivery-fixture';
import { deliveryScene } from './delivery-scene';

const TRACEPARENT = `00-${'a'.repeat(32)}-${'b'.repeat(16)}-01`;

describe('from an event to a signed request', () => {
  const scene = deliveryScene();

  const at = (path: string): Promise<ReceivedRequest> =>
    scene.receiver.waitForRequest((request) => request.path === path);
  const sentTo = (path: string): ReceivedRequest[] =>
    scene.receiver.requests.filter((request) => request.path === path);
  const deliveryOf = async (webhookId: string) => {
    const { rows } = await scene.fixture.pool.query<{
      id: string;
      state: string;
      attempts: number;
      due_at: Date | null;
    }>('SELECT id, state, attempts, due_at FROM deliveries WHERE webhook_id = $1', [webhookId]);
    return rows;
  };
  const untilState = (webhookId: string, state: string) =>
    waitFor(async () => (await deliveryOf(webhookId)).find((row) => row.state === state), {
      message: `a delivery is ${state}`,
    });

  it('delivers alert.v1 with both signatures, the ids and the trace of its cause', async () => {
    const accountId = newId('acc');
    const { id, secret } = await scene.service.register(accountId, `${scene.receiver.url}/alert?a=b`, [
      'alert.created',
    ]);
    const event = alertOf(accountId);
    await scene.fixture.publish([event, alertOf(accountId, { status: 'resolved' })]);
    const { headers, body, method } = await at('/alert?a=b');

    expect(method).toBe('POST');
    const envelope = JSON.parse(body.toString()) as Record<string, unknown>;
    expect(envelope).toMatchObject({ event: 'alert.created', webhookId: id, eventId: event.eventId });
    expect(envelope['data']).toMatchObject({ alertType: 'danger', severity: 4 });
    const delivery = await untilState(id, 'delivered');
    expect(headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(body.length),
      'user-agent': expect.stringMatching(/^Plimsoll-Webhooks\/\d+\.\d+\.\d+$/),
      'x-service-event': 'alert.created',
      'x-service-delivery': delivery.id,
      'x-service-event-id': event.eventId,
      'x-service-attempt': '1',
      'x-service-signature': createHmac('sha256', secret).update(body).digest('hex'),
      'webhook-id': event.eventId,
      'x-request-id': 'cause-1',
      traceparent: TRACEPARENT,
    });
    const timestamp = String(headers['webhook-timestamp']);
    expect(Math.abs(Date.now() / 1_000 - Number(timestamp))).toBeLessThan(10);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    const signed = createHmac('sha256', key).update(`${event.eventId}.${timestamp}.`).update(body);
    expect(headers['webhook-signature']).toBe(`v1,${signed.digest('base64')}`);
    // The endpoint does not subscribe to alert.resolved.
    expect(sentTo('/alert?a=b')).toHaveLength(1);
  }, 30_000);

  it('delivers an alert for one endpoint only to that one, even without a subscription to alerts', async () => {
    const accountId = newId('acc');
    await scene.service.register(accountId, `${scene.receiver.url}/all`, ['alert.created', 'alert.resolved']);
    const target = await scene.service.register(accountId, `${scene.receiver.url}/target`, [
      'position.updated',
    ]);
    const named = alertOf(accountId, { targetWebhookId: target.id });
    await scene.fixture.publish([
      named,
      alertOf(accountId, { targetWebhookId: target.id, status: 'resolved' }),
      alertOf(accountId, { targetWebhookId: newId('wh') }),
      alertOf(accountId),
    ]);
    expect((await at('/target')).headers['x-service-event-id']).toBe(named.eventId);
    await at('/all');
    expect([sentTo('/target').length, sentTo('/all').length]).toEqual([1, 1]);
  }, 30_000);

  it('delivers position.v1 to every account that watches the wallet, both event types under their own ids', async () => {
    const accounts = [newId('acc'), newId('acc'), newId('acc')] as const;
    const wallet = `0x${'5'.repeat(40)}`;
    for (const [i, accountId] of accounts.entries()) {
      const events = ['position.updated' as const, 'position.liquidation_risk' as const];
      await scene.service.register(accountId, `${scene.receiver.url}/position/${i}`, events);
    }
    const watch = (accountId: string, enabled: boolean) =>
      outgoing('wallet.v1', { ...valueOf('wallet.v1'), accountId, wallet, enabled });
    await scene.fixture.publish([
      watch(accounts[0], true),
      watch(accounts[1], true),
      watch(accounts[2], false),
    ]);
    await waitFor(
      async () =>
        (await scene.fixture.pool.query('SELECT 1 FROM watches WHERE wallet = $1', [wallet])).rowCount === 3,
      { message: 'the watched wallets are known' },
    );
    const event = outgoing('position.v1', valueOf('position.v1', { wallet }));
    await scene.fixture.publish([event]);
    const riskId = derivedId('evt', event.eventId, 'position.liquidation_risk');
    await waitFor(() => sentTo('/position/0').length === 2 && sentTo('/position/1').length === 2, {
      message: 'two events for each of two accounts',
    });
    for (const path of ['/position/0', '/position/1']) {
      const ids = sentTo(path).map(({ headers }) => [
        headers['x-service-event'],
        headers['x-service-event-id'],
      ]);
      expect(new Map(ids as [string, string][])).toEqual(
        new Map([
          ['position.updated', event.eventId],
          ['position.liquidation_risk', riskId],
        ]),
      );
    }
    expect(sentTo('/position/2')).toEqual([]);
  }, 30_000);

  it('delivers once the events since a watch began that arrived before the watch, and none from before', async () => {
    const accountId = newId('acc');
    const wallet = `0x${'6'.repeat(40)}`;
    const { id } = await scene.service.register(accountId, `${scene.receiver.url}/late`, [
      'position.updated',
    ]);
    const handled = async (eventId: string): Promise<Date> => {
      const { made_at } = await waitFor(
        async () =>
          (
            await scene.fixture.pool.query<{ made_at: Date }>(
              'SELECT made_at FROM recent_position_events WHERE event_id = $1',
              [eventId],
            )
          ).rows[0],
        { message: 'the event is handled' },
      );
      return made_at;
    };
    const change = () => outgoing('position.v1', valueOf('position.v1', { wallet, previousBand: 'high' }));
    const [before, after] = [change(), change()];
    await scene.fixture.publish([before]);
    await handled(before.eventId);
    await scene.fixture.publish([after]);
    const time = (await handled(after.eventId)).getTime();
    const watch = sampleWatch(accountId, wallet);
    const key = walletKey(accountId, wallet);
    const event = { id: newId('evt'), key, value: watch, time, offset: '0', partition: 0 };
    const tx = scene.fixture.pool;
    for (let repeat = 0; repeat < 2; repeat += 1) {
      await scene.service.app
        .get(WalletConsumer)
        .handle({ topic: 'wallet.v1', partition: 0, events: [event], tx, afterCommit: (work) => work() });
    }
    await untilState(id, 'delivered');
    expect(await deliveryOf(id)).toHaveLength(1);
    expect(sentTo('/late').map(({ headers }) => headers['x-service-event-id'])).toEqual([after.eventId]);
  }, 30_000);

  it('makes one delivery of an event that Kafka carries twice', async () => {
    const accountId = newId('acc');
    const { id } = await scene.service.register(accountId, `${scene.receiver.url}/twice`, ['alert.created']);
    const event = alertOf(accountId);
    await scene.fixture.publish([event, event]);
    await untilState(id, 'delivered');
    // The inbox expires later. Then the row itself shows that the event was handled.
    await scene.fixture.pool.query('DELETE FROM inbox');
    const last = alertOf(accountId);
    await scene.fixture.publish([event, last]);
    await scene.receiver.waitForRequest(({ headers }) => headers['x-service-event-id'] === last.eventId);
    expect(sentTo('/twice').map(({ headers }) => headers['x-service-event-id'])).toEqual([
      event.eventId,
      last.eventId,
    ]);
  }, 30_000);

  it('retries a 500 by the schedule, with the same body and delivery id', async () => {
    const accountId = newId('acc');
    const failing = await startReceiver();
    failing.respondWith(() => ({ status: 500, body: 'broken' }));
    const { id } = await scene.service.register(accountId, failing.url, ['alert.created']);
    const otherAccount = newId('acc');
    await scene.service.register(otherAccount, `${scene.receiver.url}/marker`, ['alert.created']);
    let offsetMs = 0;
    scene.service.clock.now = () => Date.now() + offsetMs;
    const waitsMs = [60_000, 300_000, 1_800_000, 7_200_000];
    await scene.fixture.publish([alertOf(accountId)]);
    for (const [i, waitMs] of waitsMs.entries()) {
      const row = await waitFor(async () => (await deliveryOf(id)).find((it) => it.attempts === i + 1), {
        message: `attempt ${i + 1}`,
      });
      expect(row.state).toBe('retrying');
      const { rows } = await scene.fixture.pool.query<{ ended: Date }>(
        `SELECT started_at + duration_ms * interval '1 ms' AS ended FROM attempts ORDER BY started_at DESC LIMIT 1`,
      );
      const delayMs = (row.due_at?.getTime() ?? 0) - (rows[0]?.ended.getTime() ?? 0);
      expect(delayMs).toBeGreaterThanOrEqual(waitMs);
      expect(delayMs).toBeLessThanOrEqual(waitMs * 1.1 + 1_000);
      offsetMs += delayMs - 2_000;
      // Another delivery shows that due deliveries were claimed after the clock moved.
      const marker = alertOf(otherAccount);
      await scene.fixture.publish([marker]);
      await scene.receiver.waitForRequest(({ headers }) => headers['x-service-event-id'] === marker.eventId);
      expect(failing.requests).toHaveLength(i + 1);
      offsetMs += 2_500;
    }
    const failed = await untilState(id, 'failed');
    scene.service.clock.now = Date.now;
    expect(failed).toMatchObject({ attempts: 5, due_at: null });
    expect(failing.requests.map(({ headers }) => headers['x-service-attempt'])).toEqual([
      '1',
      '2',
      '3',
      '4',
      '5',
    ]);
    expect(new Set(failing.requests.map(({ body }) => body.toString())).size).toBe(1);
    expect(new Set(failing.requests.map(({ headers }) => headers['x-service-delivery'])).size).toBe(1);
    const { rows } = await scene.fixture.pool.query(
      'SELECT attempt, status_code, response_head FROM attempts WHERE delivery_id = $1 ORDER BY attempt',
      [failed.id],
    );
    expect(rows).toEqual(
      [1, 2, 3, 4, 5].map((attempt) => ({ attempt, status_code: 500, response_head: 'broken' })),
    );
    await failing.close();
  }, 60_000);

  it('disables an endpoint that responds with 410, and skips its pending deliveries', async () => {
    const accountId = newId('acc');
    const gone = await startReceiver();
    gone.respondWith(() => ({ status: 410 }));
    const { id } = await scene.service.register(accountId, gone.url, ['alert.created']);
    await scene.fixture.publish([alertOf(accountId)]);
    expect(await untilState(id, 'failed')).toMatchObject({ attempts: 1 });
    const { body } = await scene.service.call('GET', '/v1/webhooks', { accountId });
    expect(body).toMatchObject({ webhooks: [{ id, isEnabled: false }] });
    await scene.fixture.publish([alertOf(accountId)]);
    expect(await untilState(id, 'skipped')).toMatchObject({ attempts: 0 });
    expect(gone.requests).toHaveLength(1);
    await gone.close();
  }, 30_000);

  it('does not follow a redirect', async () => {
    const accountId = newId('acc');
    const redirecting = await startReceiver();
    redirecting.respondWith(() => ({
      status: 307,
      headers: { location: `${scene.receiver.url}/elsewhere` },
    }));
    const { id } = await scene.service.register(accountId, redirecting.url, ['alert.created']);
    await scene.fixture.publish([alertOf(accountId)]);
    await untilState(id, 'retrying');
    expect(sentTo('/elsewhere')).toEqual([]);
    await redirecting.close();
  }, 30_000);

  it('does not let an endpoint that hangs delay another', async () => {
    const accountId = newId('acc');
    const hanging = await startReceiver();
    const { promise: never, resolve: respond } = deferred();
    hanging.respondWith(() => never.then(() => ({ status: 200 })));
    await scene.service.register(accountId, hanging.url, ['alert.created']);
    const healthyAccount = newId('acc');
    await scene.service.register(healthyAccount, `${scene.receiver.url}/healthy`, ['alert.created']);
    await scene.fixture.publish(Array.from({ length: 300 }, () => alertOf(accountId)));
    await waitFor(() => hanging.requests.length >= 32, {
      message: 'the slow endpoint has its maximum of deliveries',
    });
    const startedAt = performance.now();
    await scene.fixture.publish(Array.from({ length: 50 }, () => alertOf(healthyAccount)));
    await waitFor(() => sentTo('/healthy').length === 50, {
      timeoutMs: 5_000,
      message: 'the healthy endpoint got all',
    });
    expect(performance.now() - startedAt).toBeLessThan(5_000);
    expect(hanging.requests).toHaveLength(32);
    respond();
    await waitFor(() => hanging.requests.length === 300, {
      message: 'the slow endpoint receives the remaining deliveries',
    });
    await hanging.close();
  }, 30_000);

  it('publishes delivery.v1 with the cause of the delivery', async () => {
    const accountId = newId('acc');
    const failing = await startReceiver();
    failing.respondWith(() => ({ status: 503 }));
    const { id } = await scene.service.register(accountId, failing.url, ['alert.created']);
    const collector = await collectEvents(scene.fixture.kafka, 'delivery.v1');
    await scene.fixture.publish([alertOf(accountId)]);
    const published = await waitFor(() => collector.events.find(({ value }) => value?.webhookId === id), {
      message: 'the event of the delivery',
    });
    await collector.stop();
    await failing.close();
    expect(published).toMatchObject({
      value: {
        accountId,
        event: 'alert.created',
        state: 'retrying',
        attempt: 1,
        statusCode: 503,
        nextAttemptAt: expect.any(String),
      },
      requestId: 'cause-1',
      traceparent: TRACEPARENT,
    });
  }, 30_000);
});

function deferred(): { promise: Promise<void>; resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((done) => (resolve = done));
  return { promise, resolve };
}
