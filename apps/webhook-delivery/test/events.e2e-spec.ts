import { type WebhookEventList, newId } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { alertOf } from './delivery-fixture';
import { deliveryScene } from './delivery-scene';

describe('GET /v1/events', () => {
  const scene = deliveryScene();

  const list = async (accountId: string, query = ''): Promise<WebhookEventList> =>
    (await scene.service.call('GET', `/v1/events${query}`, { accountId })).body as WebhookEventList;
  const ids = ({ events }: WebhookEventList): string[] => events.map(({ eventId }) => eventId);

  it('responds with 200 and each event once, newest first, page by page, whatever the result of its deliveries', async () => {
    const accountId = newId('acc');
    const events = ['alert.created' as const, 'alert.resolved' as const];
    await scene.service.register(accountId, `${scene.receiver.url}/one`, events);
    const { id: paused } = await scene.service.register(accountId, `${scene.receiver.url}/two`, [
      'alert.created',
    ]);
    const { id: deleted } = await scene.service.register(accountId, `${scene.receiver.url}/three`, [
      'alert.created',
    ]);
    await scene.service.call('PATCH', `/v1/webhooks/${paused}`, { accountId, body: { isEnabled: false } });
    const created = alertOf(accountId);
    const resolved = alertOf(accountId, { status: 'resolved' });
    for (const event of [created, resolved]) {
      await scene.fixture.publish([event]);
      await waitFor(async () => ids(await list(accountId)).includes(event.eventId), {
        message: 'the event is listed',
      });
    }
    await scene.service.call('DELETE', `/v1/webhooks/${deleted}`, { accountId });

    const all = await list(accountId);
    expect(all).toMatchObject({ count: 2, nextCursor: null });
    expect(ids(all)).toEqual([resolved.eventId, created.eventId]);
    const request = await scene.receiver.waitForRequest(
      ({ path, headers }) => path === '/one' && headers['x-service-event-id'] === created.eventId,
    );
    const { event, timestamp, data } = JSON.parse(request.body.toString());
    const subject = data.position.id;
    expect(all.events[1]).toEqual({
      eventId: created.eventId,
      event,
      subject,
      timestamp,
      data,
      isTest: false,
    });

    const first = await list(accountId, '?limit=1');
    expect(ids(first)).toEqual([resolved.eventId]);
    const second = await list(accountId, `?limit=1&cursor=${first.nextCursor}`);
    expect(ids(second)).toEqual([created.eventId]);
    expect(second.nextCursor).toBeNull();

    expect(ids(await list(accountId, '?type=alert.resolved'))).toEqual([resolved.eventId]);
    expect(ids(await list(accountId, `?subject=${subject}`))).toEqual([resolved.eventId, created.eventId]);
    expect(ids(await list(accountId, `?subject=${subject}&type=alert.created`))).toEqual([created.eventId]);
    expect(ids(await list(accountId, `?subject=${newId('pos')}`))).toEqual([]);
    expect(ids(await list(accountId, `?since=${new Date(Date.now() + 1_000).toISOString()}`))).toEqual([]);
    expect(ids(await list(accountId, '?since=2026-01-01'))).toHaveLength(2);
    expect(ids(await list(newId('acc')))).toEqual([]);
  }, 30_000);

  it('responds with 200 and marks tests', async () => {
    const accountId = newId('acc');
    const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
    await scene.service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
    const events = [{ event: 'test.ping', isTest: true, subject: id }];
    expect(await list(accountId)).toMatchObject({ events });
    expect(await list(accountId, `?subject=${id}`)).toMatchObject({ events });
  });

  it('responds with 200 and the last 30 days, for any earlier since', async () => {
    const accountId = newId('acc');
    const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
    await scene.service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
    const age = (days: number) =>
      scene.fixture.pool.query(
        `UPDATE deliveries SET created_at = now() - $2 * interval '1 day' WHERE webhook_id = $1`,
        [id, days],
      );
    await age(29);
    expect(ids(await list(accountId, '?since=2020-01-01'))).toHaveLength(1);
    await age(31);
    expect(ids(await list(accountId, '?since=2020-01-01'))).toEqual([]);
  });

  it.each([
    ['type=alert.exploded', 'type'],
    ['subject=me', 'subject'],
    ['since=yesterday', 'since'],
    ['limit=1000', 'limit'],
    ['cursor=e30', 'cursor'],
  ])('400 invalid_request for %s', async (query, field) => {
    expect(await scene.service.call('GET', `/v1/events?${query}`)).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field }] },
    });
  });
});
