import { type CreatedWebhook, type WebhookList, type WebhookTestResult, newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { collectEvents, startReceiver, waitFor } from '@plimsoll/testing';
import { alertOf, valueOf } from './delivery-fixture';
import { deliveryScene } from './delivery-scene';

describe('the webhook endpoints', () => {
  const scene = deliveryScene();

  const create = (accountId: string, body: object, cap: number | null = 5) =>
    scene.service.call('POST', '/v1/webhooks', { accountId, cap, body });
  const list = async (accountId: string, query = ''): Promise<WebhookList> =>
    (await scene.service.call('GET', `/v1/webhooks${query}`, { accountId })).body as WebhookList;
  const valid = { url: 'https://8.8.8.8/hook', events: ['alert.created'] };

  describe('POST /v1/webhooks', () => {
    it('responds with 201 and the secret, which no other response shows and the database stores only encrypted', async () => {
      const accountId = newId('acc');
      const { status, body } = await create(accountId, valid);
      const { webhook } = body as CreatedWebhook;
      expect(status).toBe(201);
      expect(webhook).toMatchObject({ ...valid, isEnabled: true });
      expect(webhook.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(JSON.stringify(await list(accountId))).not.toContain('whsec_');
      const { rows } = await scene.fixture.pool.query<{ row: string; sealed: Buffer }>(
        'SELECT w::text AS row, secret_sealed AS sealed FROM webhooks w WHERE id = $1',
        [webhook.id],
      );
      expect(rows[0]?.row).not.toContain(webhook.secret);
      expect(rows[0]?.sealed.includes(webhook.secret)).toBe(false);
      expect(rows[0]?.sealed.includes(Buffer.from(webhook.secret.slice(6), 'base64'))).toBe(false);
    });

    it.each([
      ['http://8.8.8.8/hook', 'not_https'],
      ['https://10.0.0.1/hook', 'private'],
      ['https://user:pw@example.com/', 'user_info'],
      ['https://169.254.169.254/', 'link_local'],
      ['nonsense', 'not_a_url'],
      ['http://hooks.nowhere.example.com/', 'not_https'],
      ['https://hooks.internal/', 'private_name'],
      ['https://8.8.8.8:6379/', 'refused_port'],
    ])('400 unsafe_url for %s', async (url, reason) => {
      const { status, body } = await create(newId('acc'), { ...valid, url });
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'unsafe_url', errors: [{ field: 'url', code: reason }] });
    });

    it('400 unsafe_url for a name that resolves to a forbidden address', async () => {
      const closed = await scene.fixture.startInstance({
        WEBHOOK_ALLOW_CIDRS: '',
        WEBHOOK_ALLOW_HTTP: false,
      });
      const { status, body } = await closed.call('POST', '/v1/webhooks', {
        body: { ...valid, url: 'https://localhost/hook' },
      });
      await closed.stop();
      expect(status).toBe(400);
      expect(body).toMatchObject({ code: 'unsafe_url', errors: [{ code: 'loopback' }] });
    }, 30_000);

    it('201 for a name that does not resolve', async () => {
      const { status } = await create(newId('acc'), {
        ...valid,
        url: 'https://hooks.nowhere.example.com/hook',
      });
      expect(status).toBe(201);
    }, 20_000);

    it.each([
      [{ url: valid.url }],
      [{ ...valid, events: [] }],
      [{ ...valid, events: ['alert.exploded'] }],
      [{ ...valid, retries: 9 }],
    ])('400 invalid_request for %j', async (body) => {
      expect(await create(newId('acc'), body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request' },
      });
    });

    it('responds with 403 quota_reached above the cap, for any number of simultaneous requests', async () => {
      const accountId = newId('acc');
      const responses = await Promise.all(Array.from({ length: 12 }, () => create(accountId, valid)));
      expect(responses.filter(({ status }) => status === 201)).toHaveLength(5);
      expect(responses.filter(({ status }) => status === 403)).toHaveLength(7);
      expect(responses.find(({ status }) => status === 403)?.body).toMatchObject({ code: 'quota_reached' });
      expect((await create(newId('acc'), valid, 0)).status).toBe(403);
    });
  });

  describe('GET /v1/webhooks', () => {
    it('lists newest first, page by page', async () => {
      const accountId = newId('acc');
      const ids: string[] = [];
      for (let i = 0; i < 3; i += 1) {
        ids.unshift(((await create(accountId, valid)).body as CreatedWebhook).webhook.id);
      }
      const first = await list(accountId, '?limit=2');
      expect(first).toMatchObject({ count: 2, webhooks: [{ id: ids[0] }, { id: ids[1], deliveryCount: 0 }] });
      const second = await list(accountId, `?limit=2&cursor=${first.nextCursor}`);
      expect(second).toMatchObject({ count: 1, webhooks: [{ id: ids[2] }], nextCursor: null });
    });
  });

  describe('DELETE /v1/webhooks/:id', () => {
    it('deletes it with its secret, and responds with 404 the second time', async () => {
      const accountId = newId('acc');
      const { id } = ((await create(accountId, valid)).body as CreatedWebhook).webhook;
      expect(await scene.service.call('DELETE', `/v1/webhooks/${id}`, { accountId })).toEqual({
        status: 200,
        body: { success: true, deleted: id },
      });
      expect((await list(accountId)).webhooks).toEqual([]);
      const { rows } = await scene.fixture.pool.query<{ size: number }>(
        'SELECT length(secret_sealed) AS size FROM webhooks WHERE id = $1',
        [id],
      );
      expect(rows).toEqual([{ size: 0 }]);
      expect((await scene.service.call('DELETE', `/v1/webhooks/${id}`, { accountId })).status).toBe(404);
    });

    it('reports the deletion to the other services, once', async () => {
      const accountId = newId('acc');
      const collector = await collectEvents(scene.fixture.kafka, 'webhook.v1');
      for (let i = 0; i < 2; i += 1) {
        const { id } = ((await create(accountId, valid)).body as CreatedWebhook).webhook;
        for (let j = 0; j < 2; j += 1)
          await scene.service.call('DELETE', `/v1/webhooks/${id}`, { accountId });
        const published = await waitFor(
          () => collector.events.filter(({ value }) => value?.accountId === accountId)[i],
          { message: 'webhook.v1' },
        );
        expect(published.value).toMatchObject({ webhookId: id, change: 'deleted' });
      }
      await collector.stop();
    });
  });

  it("responds with 404 not_found for another account's endpoint, for every request with an id", async () => {
    const { id } = ((await create(newId('acc'), valid)).body as CreatedWebhook).webhook;
    const stranger = newId('acc');
    for (const [method, path] of [
      ['DELETE', `/v1/webhooks/${id}`],
      ['POST', `/v1/webhooks/${id}/test`],
    ] as const) {
      expect(await scene.service.call(method, path, { accountId: stranger })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  });

  describe('POST /v1/webhooks/:id/test', () => {
    it("sends test.ping immediately and returns the endpoint's response; the test counts as a delivery", async () => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, `${scene.receiver.url}/ping`, ['alert.created']);
      const { status, body } = await scene.service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
      const result = body as WebhookTestResult;
      expect(status).toBe(200);
      expect(result).toMatchObject({ success: true, statusCode: 200 });
      const request = await scene.receiver.waitForRequest(({ path }) => path === '/ping');
      expect(request.headers).toMatchObject({
        'x-service-event': 'test.ping',
        'x-service-delivery': result.deliveryId,
        'x-service-attempt': '1',
      });
      expect(JSON.parse(request.body.toString())).toMatchObject({
        event: 'test.ping',
        data: { webhookId: id },
      });
      expect((await list(accountId)).webhooks).toMatchObject([{ deliveryCount: 1 }]);
      const { rows } = await scene.fixture.pool.query(
        'SELECT state, attempts, due_at FROM deliveries WHERE id = $1',
        [result.deliveryId],
      );
      expect(rows).toEqual([{ state: 'delivered', attempts: 1, due_at: null }]);
    });

    it('sends the requested event type, and reports that the endpoint rejected it', async () => {
      const accountId = newId('acc');
      const refusing = await startReceiver();
      refusing.respondWith(() => ({ status: 418 }));
      const { id } = await scene.service.register(accountId, refusing.url, ['alert.created']);
      const { body } = await scene.service.call('POST', `/v1/webhooks/${id}/test`, {
        accountId,
        body: { event: 'position.updated' },
      });
      expect(body).toMatchObject({ success: false, statusCode: 418 });
      expect(refusing.requests[0]?.headers['x-service-event']).toBe('position.updated');
      await refusing.close();
    });

    it('has statusCode 0 and an error without a response', async () => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, 'http://127.0.0.1:2/', ['alert.created']);
      const { body } = await scene.service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
      expect(body).toMatchObject({
        success: false,
        statusCode: 0,
        error: expect.stringContaining('refused'),
      });
    });

    it('does not connect to a forbidden address, whatever was registered', async () => {
      const accountId = newId('acc');
      const port = new URL(scene.receiver.url).port;
      const byName = await scene.service.register(accountId, `http://localhost:${port}/rebound`, [
        'alert.created',
      ]);
      const literal = await scene.service.register(accountId, `${scene.receiver.url}/rebound`, [
        'alert.created',
      ]);
      const closed = await scene.fixture.startInstance({
        WEBHOOK_ALLOW_CIDRS: '',
        WEBHOOK_ALLOW_HTTP: false,
      });
      for (const { id } of [byName, literal]) {
        const { body } = await closed.call('POST', `/v1/webhooks/${id}/test`, { accountId });
        expect(body).toMatchObject({ success: false, statusCode: 0 });
        const { rows } = await scene.fixture.pool.query<{ error: string }>(
          'SELECT error FROM attempts WHERE delivery_id = $1',
          [(body as WebhookTestResult).deliveryId],
        );
        expect(rows).toEqual([{ error: 'unsafe_address' }]);
      }
      await closed.stop();
      expect(scene.receiver.requests.filter(({ path }) => path === '/rebound')).toEqual([]);
    }, 30_000);
  });

  describe('the cap of account.v1', () => {
    it('disables the newest above it, whose deliveries are skipped, and enables them again', async () => {
      const accountId = newId('acc');
      const oldest = await scene.service.register(accountId, `${scene.receiver.url}/oldest`, [
        'alert.created',
      ]);
      const newest = await scene.service.register(accountId, `${scene.receiver.url}/newest`, [
        'alert.created',
      ]);
      const enabled = async () =>
        Object.fromEntries((await list(accountId)).webhooks.map(({ id, isEnabled }) => [id, isEnabled]));
      const account = (webhooks: number) => {
        const value = valueOf('account.v1', { accountId });
        return outgoing('account.v1', { ...value, limits: { ...value.limits, webhooks } });
      };
      await scene.fixture.publish([account(1)]);
      await waitFor(async () => (await enabled())[newest.id] === false, {
        message: 'the newest is disabled',
      });
      expect(await enabled()).toEqual({ [oldest.id]: true, [newest.id]: false });

      await scene.fixture.publish([alertOf(accountId)]);
      await scene.receiver.waitForRequest(({ path }) => path === '/oldest');
      const { rows } = await scene.fixture.pool.query('SELECT state FROM deliveries WHERE webhook_id = $1', [
        newest.id,
      ]);
      expect(rows).toEqual([{ state: 'skipped' }]);
      expect(scene.receiver.requests.filter(({ path }) => path === '/newest')).toEqual([]);

      await scene.fixture.publish([account(5)]);
      await waitFor(async () => (await enabled())[newest.id], { message: 'the newest lease is released' });
    }, 30_000);
  });
});
