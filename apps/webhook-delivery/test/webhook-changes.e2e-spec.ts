import { createHmac } from 'node:crypto';
import { type RotatedSecret, type UpdatedWebhook, newId } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { type ReceivedRequest, waitFor } from '@plimsoll/testing';
import { Webhook } from 'standardwebhooks';
import { alertOf, valueOf } from './delivery-fixture';
import { deliveryScene } from './delivery-scene';
import { logClient } from './log-client';

describe('changes of a webhook endpoint', () => {
  const scene = deliveryScene();

  const patch = (accountId: string, id: string, body: object) =>
    scene.service.call('PATCH', `/v1/webhooks/${id}`, { accountId, body });
  const rotate = (accountId: string, id: string, body?: object) =>
    scene.service.call('POST', `/v1/webhooks/${id}/rotate-secret`, { accountId, ...(body && { body }) });

  describe('PATCH /v1/webhooks/:id', () => {
    it('responds with 200 and the changed endpoint; absent fields keep their value', async () => {
      const accountId = newId('acc');
      const { id, url } = await scene.service.register(accountId, `${scene.receiver.url}/before`, [
        'alert.created',
      ]);
      const events = ['alert.created', 'alert.resolved'];
      expect(await patch(accountId, id, { events })).toMatchObject({
        status: 200,
        body: { webhook: { id, url, events, isEnabled: true, disabledReason: null, deliveryCount: 0 } },
      });
      const moved = `${scene.receiver.url}/after`;
      expect((await patch(accountId, id, { url: moved, isEnabled: false })).body).toMatchObject({
        webhook: { url: moved, events, isEnabled: false, disabledReason: null },
      });
      expect((await patch(accountId, id, {})).body).toMatchObject({
        webhook: { url: moved, isEnabled: false },
      });
    });

    it('sends later events to the new URL', async () => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, `${scene.receiver.url}/old`, ['alert.created']);
      await patch(accountId, id, { url: `${scene.receiver.url}/new` });
      await scene.fixture.publish([alertOf(accountId)]);
      await scene.receiver.waitForRequest(({ path }) => path === '/new');
      expect(scene.receiver.requests.filter(({ path }) => path === '/old')).toEqual([]);
    }, 30_000);

    it('stores deliveries as skipped while disabled, and delivers new ones when enabled', async () => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, `${scene.receiver.url}/paused`, [
        'alert.created',
      ]);
      await patch(accountId, id, { isEnabled: false });
      await scene.fixture.publish([alertOf(accountId)]);
      await logClient(scene.service, accountId).until(id, 'skipped');
      await patch(accountId, id, { isEnabled: true });
      const second = alertOf(accountId);
      await scene.fixture.publish([second]);
      const request = await scene.receiver.waitForRequest(({ path }) => path === '/paused');
      expect(request.headers['x-service-event-id']).toBe(second.eventId);
    }, 30_000);

    it('responds with 400 unsafe_url when the new URL is rejected, and changes nothing', async () => {
      const accountId = newId('acc');
      const { id, url } = await scene.service.register(accountId, `${scene.receiver.url}/safe`, [
        'alert.created',
      ]);
      const refused = await patch(accountId, id, { url: 'https://10.0.0.1/', isEnabled: false });
      expect(refused).toMatchObject({
        status: 400,
        body: { code: 'unsafe_url', errors: [{ field: 'url', code: 'private' }] },
      });
      expect((await patch(accountId, id, {})).body).toMatchObject({ webhook: { url, isEnabled: true } });
    });

    it.each([
      [{ events: [] }, 'events'],
      [{ events: ['alert.exploded'] }, 'events[0]'],
      [{ isEnabled: 'yes' }, 'isEnabled'],
      [{ isEnabled: null }, 'isEnabled'],
      [{ secret: 'whsec_x' }, 'secret'],
    ])('400 invalid_request for %j', async (body, field) => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
      expect(await patch(accountId, id, body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field }] },
      });
    });

    it('responds with 403 quota_reached for enabling an endpoint above the cap of the tier', async () => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
      const account = valueOf('account.v1', { accountId });
      await scene.fixture.publish([
        outgoing('account.v1', { ...account, limits: { ...account.limits, webhooks: 0 } }),
      ]);
      const capped = await waitFor(
        async () => {
          const { webhook } = (await patch(accountId, id, {})).body as UpdatedWebhook;
          return webhook.isEnabled ? undefined : webhook;
        },
        { message: 'the endpoint is above the cap' },
      );
      expect(capped.disabledReason).toBe('tier_cap');
      expect(await patch(accountId, id, { isEnabled: true })).toMatchObject({
        status: 403,
        body: { code: 'quota_reached' },
      });
    }, 30_000);
  });

  describe('POST /v1/webhooks/:id/rotate-secret', () => {
    const signature = (secret: string, { body }: ReceivedRequest) =>
      createHmac('sha256', secret).update(body).digest('hex');
    const takesStandard = (secret: string, { body, headers }: ReceivedRequest): boolean => {
      try {
        new Webhook(secret).verify(body.toString(), headers as Record<string, string>);
        return true;
      } catch {
        return false;
      }
    };
    const nextRequest = async (accountId: string, id: string): Promise<ReceivedRequest> => {
      scene.receiver.requests.length = 0;
      await scene.service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
      return scene.receiver.waitForRequest(() => true);
    };

    it('responds with 200 and the new secret; both sign until the client ends the overlap', async () => {
      const accountId = newId('acc');
      const { id, secret: old } = await scene.service.register(accountId, scene.receiver.url, [
        'alert.created',
      ]);
      const { status, body } = await rotate(accountId, id);
      const { secret, overlapEndsAt } = (body as RotatedSecret).webhook;
      expect(status).toBe(200);
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const hours = (Date.parse(overlapEndsAt ?? '') - Date.now()) / 3_600_000;
      expect(Math.abs(hours - 24)).toBeLessThan(0.1);
      const next = secret ?? '';

      const during = await nextRequest(accountId, id);
      expect(during.headers).toMatchObject({
        'x-service-signature': signature(old, during),
        'x-service-signature-next': signature(next, during),
        'webhook-signature': expect.stringMatching(/^v1,\S+ v1,\S+$/),
      });
      expect([takesStandard(old, during), takesStandard(next, during)]).toEqual([true, true]);

      expect(await rotate(accountId, id, { overlapHours: 0 })).toMatchObject({
        status: 200,
        body: { webhook: { id, secret: null, overlapEndsAt: null } },
      });
      const after = await nextRequest(accountId, id);
      expect(after.headers['x-service-signature']).toBe(signature(next, after));
      expect(after.headers).not.toHaveProperty('x-service-signature-next');
      expect([takesStandard(old, after), takesStandard(next, after)]).toEqual([false, true]);
    });

    it('uses only the new secret when the overlap has ended', async () => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
      const { secret } = ((await rotate(accountId, id, { overlapHours: 1 })).body as RotatedSecret).webhook;
      const before = await nextRequest(accountId, id);
      expect(before.headers['x-service-signature-next']).toBe(signature(secret ?? '', before));
      scene.service.clock.now = () => Date.now() + 3_600_000;
      const after = await nextRequest(accountId, id);
      scene.service.clock.now = Date.now;
      expect(after.headers['x-service-signature']).toBe(signature(secret ?? '', after));
      expect(after.headers).not.toHaveProperty('x-service-signature-next');
    });

    it('replaces the secret immediately with overlapHours 0 and stores both only encrypted', async () => {
      const accountId = newId('acc');
      const { id, secret: old } = await scene.service.register(accountId, scene.receiver.url, [
        'alert.created',
      ]);
      const { body } = await rotate(accountId, id, { overlapHours: 0 });
      const { secret, overlapEndsAt } = (body as RotatedSecret).webhook;
      expect(overlapEndsAt).toBeNull();
      const request = await nextRequest(accountId, id);
      expect(request.headers['x-service-signature']).toBe(signature(secret ?? '', request));
      const { rows } = await scene.fixture.pool.query<{ row: string }>(
        'SELECT w::text AS row FROM webhooks w',
      );
      for (const { row } of rows) {
        expect(row).not.toContain(old);
        expect(row).not.toContain(secret);
      }
    });

    it('responds with 409 conflict for a second rotation during an overlap', async () => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
      await rotate(accountId, id);
      expect(await rotate(accountId, id, { overlapHours: 12 })).toMatchObject({
        status: 409,
        body: { code: 'conflict' },
      });
    });

    it.each([-1, 169, 1.5, '24'])('400 invalid_request for overlapHours %p', async (overlapHours) => {
      const accountId = newId('acc');
      const { id } = await scene.service.register(accountId, scene.receiver.url, ['alert.created']);
      expect(await rotate(accountId, id, { overlapHours })).toMatchObject({
        status: 400,
        body: {
          code: 'invalid_request',
          errors: expect.arrayContaining([expect.objectContaining({ field: 'overlapHours' })]),
        },
      });
    });
  });

  it("404 not_found for another account's endpoint", async () => {
    const { id } = await scene.service.register(newId('acc'), scene.receiver.url, ['alert.created']);
    const stranger = newId('acc');
    for (const response of [
      await patch(stranger, id, { isEnabled: false }),
      await rotate(stranger, id, { overlapHours: 0 }),
    ]) {
      expect(response).toMatchObject({ status: 404, body: { code: 'not_found' } });
    }
  });
});
