import { type CreatedWebhook, type RotatedSecret, type WebhookTestResult, newId } from '@plimsoll/contracts';
import { type Receiver, startReceiver, waitFor } from '@plimsoll/testing';
import { DeliveryFixture, type Instance } from './delivery-fixture';

describe('Idempotency-Key', () => {
  let fixture: DeliveryFixture;
  let service: Instance;
  let receiver: Receiver;

  beforeAll(async () => {
    fixture = await DeliveryFixture.create();
    service = await fixture.startInstance({}, { consumes: false });
    receiver = await startReceiver();
  }, 60_000);
  afterAll(async () => {
    await fixture.close();
    await receiver.close();
  });

  const post = async <T>(accountId: string, path: string, key: string, body: object) => {
    const response = await service.app.inject({
      method: 'POST',
      url: path,
      headers: {
        ...fixture.headers('POST', path, {}, accountId),
        'idempotency-key': key,
      },
      payload: body,
    });
    return {
      status: response.statusCode,
      replayed: response.headers['idempotency-replayed'],
      body: response.json<T>(),
    };
  };
  const hook = (path: string) => ({ url: `${receiver.url}/${path}`, events: ['alert.created'] });

  describe('POST /v1/webhooks', () => {
    it('returns the same endpoint and secret again, and stores the secret only encrypted', async () => {
      const accountId = newId('acc');
      const first = await post<CreatedWebhook>(accountId, '/v1/webhooks', 'key', hook('once'));
      const again = await post<CreatedWebhook>(accountId, '/v1/webhooks', 'key', hook('once'));
      expect(first).toMatchObject({ status: 201, replayed: undefined });
      expect(again).toEqual({ ...first, replayed: 'true' });
      const webhooks = await fixture.pool.query('SELECT FROM webhooks WHERE account_id = $1', [accountId]);
      expect(webhooks.rowCount).toBe(1);
      const { rows } = await fixture.pool.query<{ row: string; body: Buffer }>(
        'SELECT i::text AS row, body FROM idempotency i WHERE account_id = $1',
        [accountId],
      );
      const { secret } = first.body.webhook;
      expect(rows).toHaveLength(1);
      expect(rows[0]?.row).not.toContain(secret);
      expect(rows[0]?.body.includes(secret)).toBe(false);
    });

    it('409 idempotency_mismatch for another body', async () => {
      const accountId = newId('acc');
      await post(accountId, '/v1/webhooks', 'key', hook('one'));
      expect(await post(accountId, '/v1/webhooks', 'key', hook('two'))).toMatchObject({
        status: 409,
        body: { code: 'idempotency_mismatch' },
      });
    });

    it('a rejected URL stores no response: the key is free for the corrected request', async () => {
      const accountId = newId('acc');
      const unsafe = { ...hook('x'), url: 'https://10.0.0.1/' };
      expect((await post(accountId, '/v1/webhooks', 'key', unsafe)).status).toBe(400);
      expect((await post(accountId, '/v1/webhooks', 'key', hook('x'))).status).toBe(201);
    });
  });

  describe('POST /v1/webhooks/:id/rotate-secret', () => {
    it('returns the same secret again, so that a lost response loses no secret', async () => {
      const accountId = newId('acc');
      const { id } = (await post<CreatedWebhook>(accountId, '/v1/webhooks', 'key', hook('rotated'))).body
        .webhook;
      const path = `/v1/webhooks/${id}/rotate-secret`;
      const first = await post<RotatedSecret>(accountId, path, 'key', { overlapHours: 0 });
      expect(first.body.webhook.secret).toMatch(/^whsec_/);
      expect(await post(accountId, path, 'key', { overlapHours: 0 })).toEqual({ ...first, replayed: 'true' });
    });
  });

  describe('POST /v1/deliveries/:id/retry', () => {
    it('makes one attempt', async () => {
      const accountId = newId('acc');
      receiver.respondWith(({ path }) => ({ status: path === '/retried' ? 500 : 200 }));
      const { id } = (await post<CreatedWebhook>(accountId, '/v1/webhooks', 'key', hook('retried'))).body
        .webhook;
      const test = await post<WebhookTestResult>(accountId, `/v1/webhooks/${id}/test`, 'key', {});
      const path = `/v1/deliveries/${test.body.deliveryId}/retry`;
      const first = await post(accountId, path, 'key', {});
      expect(first).toMatchObject({ status: 202, replayed: undefined });
      const attempts = () => receiver.requests.filter((request) => request.path === '/retried');
      await waitFor(() => attempts().length === 2, { message: 'the retry arrives' });
      expect(await post(accountId, path, 'key', {})).toEqual({ ...first, replayed: 'true' });
      expect(attempts().map(({ headers }) => headers['x-service-attempt'])).toEqual(['1', '2']);
    }, 30_000);
  });

  describe('POST /v1/webhooks/:id/test', () => {
    it('sends once for any number of repeated requests', async () => {
      const accountId = newId('acc');
      const { id } = await service.register(accountId, `${receiver.url}/pinged`, ['alert.created']);
      const call = () => post<WebhookTestResult>(accountId, `/v1/webhooks/${id}/test`, 'key', {});
      const responses = [...(await Promise.all([call(), call(), call()])), await call()];
      expect(new Set(responses.map(({ body }) => body.deliveryId)).size).toBe(1);
      expect(responses.filter(({ replayed }) => replayed === 'true')).toHaveLength(3);
      expect(responses.every(({ status }) => status === 200)).toBe(true);
      expect(receiver.requests.filter(({ path }) => path === '/pinged')).toHaveLength(1);
    });
  });

  it('a service without the key of a stored response does not start', async () => {
    const accountId = newId('acc');
    await post(accountId, '/v1/webhooks', 'key', hook('sealed'));
    await fixture.pool.query('DELETE FROM webhooks');
    await expect(
      fixture.startInstance({ WEBHOOK_SECRET_KEYS: `new:${Buffer.alloc(32, 1).toString('base64')}` }),
    ).rejects.toThrow('WEBHOOK_SECRET_KEYS');
  }, 30_000);
});
