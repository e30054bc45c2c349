import {
  type CreatedWebhook,
  type EventValue,
  type UpdatedWebhook,
  type WebhookList,
  newId,
  walletKey,
} from '@plimsoll/contracts';
import { appendToOutbox, outgoing, tombstone } from '@plimsoll/event-bus';
import { sampleWallet, waitFor } from '@plimsoll/testing';
import { alertOf, valueOf } from './delivery-fixture';
import { deliveryScene } from './delivery-scene';

type Alert = EventValue<'alert.v1'>;

const EVENTS = ['alert.created', 'alert.resolved'];
const NONE = { severities: [], protocols: [], chainIds: [], walletGroupIds: [] };

describe('filters of a webhook endpoint', () => {
  const scene = deliveryScene();

  const create = (accountId: string, body: object) =>
    scene.service.call('POST', '/v1/webhooks', { accountId, cap: null, body });
  const patch = (accountId: string, id: string, body: object) =>
    scene.service.call('PATCH', `/v1/webhooks/${id}`, { accountId, body });
  const listed = async (accountId: string) =>
    ((await scene.service.call('GET', '/v1/webhooks', { accountId })).body as WebhookList).webhooks;

  /** Registers an endpoint that has responded to test.ping. */
  async function register(accountId: string, filter: object): Promise<string> {
    const { status, body } = await create(accountId, { url: scene.receiver.url, events: EVENTS, ...filter });
    expect(status).toBe(201);
    const { id } = (body as CreatedWebhook).webhook;
    await scene.fixture.pool.query('UPDATE webhooks SET verified_at = now() WHERE id = $1', [id]);
    return id;
  }

  /** The ids of the events that have a delivery to the endpoint. */
  async function eventsOf(webhookId: string): Promise<string[]> {
    const { rows } = await scene.fixture.pool.query<{ eventId: string }>(
      'SELECT event_id AS "eventId" FROM deliveries WHERE webhook_id = $1 ORDER BY id',
      [webhookId],
    );
    return rows.map(({ eventId }) => eventId);
  }

  const position = (changes: Partial<NonNullable<Alert['position']>>): Partial<Alert> => ({
    position: { ...valueOf('alert.v1').position!, ...changes },
  });

  it('decide which events become deliveries; an endpoint without filters receives all', async () => {
    const accountId = newId('acc');
    const [all, critical, venus, chain] = [
      await register(accountId, {}),
      await register(accountId, { severities: ['critical'] }),
      await register(accountId, { protocols: ['venus', 'sky'] }),
      await register(accountId, { severities: ['low', 'high'], chainIds: [56] }),
    ];
    const [high, worst, onVenus, ofAsset, resolved] = [
      alertOf(accountId),
      alertOf(accountId, { severity: 'critical' }),
      alertOf(accountId, position({ protocol: 'venus', chainId: 56 })),
      alertOf(accountId, { position: null, type: 'price_move' }),
      alertOf(accountId, { status: 'resolved', resolvedAt: '2026-11-21T13:00:00.000Z' }),
    ];
    const events = [high, worst, onVenus, ofAsset, resolved];
    await scene.fixture.publish(events);
    const ids = events.map(({ eventId }) => eventId).sort();
    await waitFor(async () => (await eventsOf(all)).length === ids.length, { message: 'all deliveries' });
    expect((await eventsOf(all)).sort()).toEqual(ids);
    expect((await eventsOf(critical)).sort()).toEqual([worst.eventId, resolved.eventId].sort());
    expect(await eventsOf(venus)).toEqual([onVenus.eventId]);
    expect(await eventsOf(chain)).toEqual([onVenus.eventId]);
    expect((await listed(accountId)).find(({ id }) => id === venus)?.deliveryCount).toBe(1);
  }, 30_000);

  it('a wallet group receives the events of its wallets, also the end of the alerts of a wallet that left', async () => {
    const accountId = newId('acc');
    const [group, other] = [newId('wgr'), newId('wgr')];
    const [all, grouped, elsewhere] = [
      await register(accountId, {}),
      await register(accountId, { walletGroupIds: [group] }),
      await register(accountId, { walletGroupIds: [other] }),
    ];
    const [inside, outside] = [sampleWallet(7_001), sampleWallet(7_002)];
    const watch = { accountId, enabled: true, watchedSince: '2026-11-21T12:00:00.000Z' };
    const publish = (...events: Parameters<typeof appendToOutbox>[1][number][]) =>
      appendToOutbox(scene.fixture.pool, events);
    await publish(
      outgoing('wallet.v1', { ...watch, wallet: inside, groupIds: [group] }),
      outgoing('wallet.v1', { ...watch, wallet: outside }),
    );
    const isKnown = async (sql: string) =>
      (await scene.fixture.pool.query(`SELECT FROM watches WHERE account_id = $1 AND ${sql}`, [accountId]))
        .rowCount;
    await waitFor(async () => (await isKnown('watching')) === 2, { message: 'both watches' });
    const of = (wallet: string, changes: Partial<Alert> = {}) =>
      alertOf(accountId, { ...position({ wallet }), ...changes });
    const [first, second, ofAsset] = [of(inside), of(outside), alertOf(accountId, { position: null })];
    await scene.fixture.publish([first, second, ofAsset]);
    await waitFor(async () => (await eventsOf(all)).length === 3, { message: 'all deliveries' });
    await publish(tombstone('wallet.v1', walletKey(accountId, inside), {}));
    await waitFor(async () => (await isKnown('NOT watching')) === 1, { message: 'the end of a watch' });
    const end = of(inside, { status: 'resolved', resolvedAt: '2026-11-21T13:00:00.000Z' });
    await scene.fixture.publish([end]);
    await waitFor(async () => (await eventsOf(all)).length === 4, { message: 'the end' });
    expect((await eventsOf(grouped)).sort()).toEqual([first.eventId, end.eventId].sort());
    expect(await eventsOf(elsewhere)).toEqual([]);
  }, 30_000);

  it('apply to a flood that waits for its turns', async () => {
    const accountId = newId('acc');
    const [all, critical] = [
      await register(accountId, {}),
      await register(accountId, { severities: ['critical'] }),
    ];
    const events = Array.from({ length: 120 }, (_, at) =>
      alertOf(accountId, { severity: at % 10 === 0 ? 'critical' : 'high' }),
    );
    await scene.fixture.publish(events);
    await waitFor(async () => (await eventsOf(all)).length === 120, { message: 'all deliveries' });
    expect((await eventsOf(critical)).sort()).toEqual(
      events
        .filter((_, at) => at % 10 === 0)
        .map(({ eventId }) => eventId)
        .sort(),
    );
  }, 30_000);

  it('do not apply to the endpoint that a rule names', async () => {
    const accountId = newId('acc');
    const id = await register(accountId, { severities: ['critical'], protocols: ['venus'] });
    const named = alertOf(accountId, { targetWebhookId: id });
    await scene.fixture.publish([named]);
    await waitFor(async () => (await eventsOf(id)).includes(named.eventId), { message: 'the delivery' });
  }, 30_000);

  it('are in every response, and PATCH changes those that it states', async () => {
    const accountId = newId('acc');
    const walletGroupIds = [newId('wgr')];
    const filter = {
      severities: ['high', 'critical'],
      protocols: ['aave-v3'],
      chainIds: [1, 8453],
      walletGroupIds,
    };
    const created = await create(accountId, { url: scene.receiver.url, events: EVENTS, ...filter });
    expect(created).toMatchObject({ status: 201, body: { webhook: filter } });
    const { id } = (created.body as CreatedWebhook).webhook;
    expect(await listed(accountId)).toMatchObject([filter]);
    const changed = async (body: object) =>
      ((await patch(accountId, id, body)).body as UpdatedWebhook).webhook;
    expect(await changed({ isEnabled: true })).toMatchObject(filter);
    expect(await changed({ severities: [], chainIds: [10] })).toMatchObject({
      ...filter,
      severities: [],
      chainIds: [10],
    });
    expect(await changed({ protocols: [], chainIds: [], walletGroupIds: [] })).toMatchObject(NONE);
    const plain = await create(newId('acc'), { url: scene.receiver.url, events: EVENTS });
    expect(plain).toMatchObject({ status: 201, body: { webhook: NONE } });
  });

  it.each([
    [{ severities: ['high', 'critcal'] }, 'severities[1]', 'critical'],
    [{ severities: 'high' }, 'severities', undefined],
    [{ severities: ['high', 'high'] }, 'severities', undefined],
    [{ protocols: ['aave-v33'] }, 'protocols[0]', 'aave-v3'],
    [{ chainIds: ['1'] }, 'chainIds[0]', undefined],
    [{ chainIds: [0] }, 'chainIds[0]', undefined],
    [{ chainIds: null }, 'chainIds', undefined],
    [{ walletGroupIds: ['Treasury'] }, 'walletGroupIds[0]', undefined],
  ])('400 invalid_request for %j', async (filter, field, suggestion) => {
    const accountId = newId('acc');
    const { webhook } = (await create(accountId, { url: scene.receiver.url, events: EVENTS }))
      .body as CreatedWebhook;
    const error = { field, ...(suggestion !== undefined && { suggestion }) };
    const expected = { status: 400, body: { code: 'invalid_request', errors: [error] } };
    expect(await create(accountId, { url: scene.receiver.url, events: EVENTS, ...filter })).toMatchObject(
      expected,
    );
    expect(await patch(accountId, webhook.id, filter)).toMatchObject(expected);
    expect((await listed(accountId)).map(({ id }) => id)).toEqual([webhook.id]);
  });
});
