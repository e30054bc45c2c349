import { randomUUID } from 'node:crypto';
import { type DeliveryList, newId } from '@plimsoll/contracts';
import { type Receiver, collectEvents, startReceiver, waitFor } from '@plimsoll/testing';
import { DeliveryFixture, type Instance, alertOf } from './delivery-fixture';
import { logClient } from './log-client';

describe('the delivery log', () => {
  let fixture: DeliveryFixture;
  let service: Instance;
  let receiver: Receiver;
  let response: { status: number; body?: string; headers?: Record<string, string> };

  beforeAll(async () => {
    fixture = await DeliveryFixture.create();
    service = await fixture.startInstance();
    receiver = await startReceiver();
    receiver.respondWith(() => response);
  }, 60_000);
  beforeEach(() => (response = { status: 200, body: 'thanks' }));
  afterAll(async () => {
    await fixture.close();
    await receiver.close();
  });

  const newEndpoint = async () => {
    const accountId = newId('acc');
    const path = `/${accountId}`;
    const events = ['alert.created' as const, 'alert.resolved' as const];
    const { id } = await service.register(accountId, receiver.url + path, events);
    const post = (to: string, body?: object) =>
      service.call('POST', to, { accountId, ...(body && { body }) });
    return {
      accountId,
      id,
      log: logClient(service, accountId),
      requests: () => receiver.requests.filter((request) => request.path === path),
      retry: (deliveryId: string) => post(`/v1/deliveries/${deliveryId}/retry`),
      resend: (deliveryId: string) => post(`/v1/deliveries/${deliveryId}/resend`),
      recover: (body: object) => post(`/v1/webhooks/${id}/recover`, body),
      enable: (isEnabled: boolean) =>
        service.call('PATCH', `/v1/webhooks/${id}`, { accountId, body: { isEnabled } }),
    };
  };
  /** Sets a delivery to its state after the fifth attempt. */
  const exhaust = (webhookId: string) =>
    fixture.pool.query(
      `UPDATE deliveries SET state = 'failed', attempts = 5, due_at = NULL, finished_at = now() WHERE webhook_id = $1`,
      [webhookId],
    );

  describe('GET /v1/webhooks/:id/deliveries', () => {
    it('200 with every attempt, newest delivery first, page by page', async () => {
      const { accountId, id, log } = await newEndpoint();
      response = { status: 503, body: 'x'.repeat(5_000) };
      await fixture.publish([alertOf(accountId)]);
      const retrying = await log.until(id, 'retrying');
      expect(retrying).toMatchObject({
        webhookId: id,
        event: 'alert.created',
        isTest: false,
        finishedAt: null,
        attempts: [{ attempt: 1, statusCode: 503, error: null, responseHead: 'x'.repeat(256) }],
      });
      const [attempt] = retrying.attempts;
      expect(attempt?.durationMs).toBeGreaterThan(0);
      const waitMs = Date.parse(retrying.nextAttemptAt ?? '') - Date.parse(attempt?.startedAt ?? '');
      expect(waitMs).toBeGreaterThanOrEqual(60_000);
      expect(waitMs).toBeLessThan(70_000);

      response = { status: 200 };
      await fixture.publish([alertOf(accountId, { status: 'resolved' })]);
      const delivered = await log.until(id, 'delivered');
      expect(delivered).toMatchObject({ event: 'alert.resolved', nextAttemptAt: null });
      expect(delivered.finishedAt).not.toBeNull();
      const first = await log.list(id, '?limit=1');
      expect(first).toMatchObject({ count: 1, deliveries: [{ id: delivered.id }] });
      const second = await log.list(id, `?limit=1&cursor=${first.nextCursor}`);
      expect(second).toMatchObject({ deliveries: [{ id: retrying.id }], nextCursor: null });
    }, 30_000);

    it('responds with 200 and only the matches of state, event and since', async () => {
      const { accountId, id, log } = await newEndpoint();
      await fixture.publish([alertOf(accountId), alertOf(accountId, { status: 'resolved' })]);
      const all = await waitFor(
        async () => {
          const { deliveries } = await log.list(id, '?state=delivered');
          return deliveries.length === 2 && deliveries;
        },
        { message: 'both are delivered' },
      );
      const ids = (list: DeliveryList) => list.deliveries.map((delivery) => delivery.id);
      const resolved = all.filter(({ event }) => event === 'alert.resolved').map((delivery) => delivery.id);
      expect(ids(await log.list(id, '?event=alert.resolved'))).toEqual(resolved);
      expect(ids(await log.list(id, '?state=failed'))).toEqual([]);
      expect(ids(await log.list(id, `?since=${all[0]?.createdAt}`))).toContain(all[0]?.id);
      expect(ids(await log.list(id, `?since=${new Date(Date.now() + 1_000).toISOString()}`))).toEqual([]);
    }, 30_000);

    it('responds with 200 and open deliveries that are older than the newest thousand', async () => {
      const { accountId, id, log } = await newEndpoint();
      const insert = (rows: string) =>
        fixture.pool.query(
          `INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, state, due_at, lease, created_at)
           SELECT 'del_' || key, $1, $2, 'evt_' || key, 'alert.created', '{}', state, due_at, lease, now()
           FROM (${rows}) AS given (key, state, due_at, lease)`,
          [id, accountId],
        );
      const [held, waiting] = [randomUUID(), randomUUID()];
      const openId = (number: number): string => `${number}`.padStart(22, '0');
      const inAnHour = `now() + interval '1 hour'`;
      await insert(
        `VALUES ('${openId(1)}', 'retrying', ${inAnHour}, NULL::uuid), ('${openId(2)}', 'pending', NULL, '${held}'),
           ('${openId(3)}', 'pending', NULL, '${waiting}')`,
      );
      await fixture.pool.query(
        `INSERT INTO leases (id, ends_at, delivery_ids, webhook_id, is_held, size)
         VALUES ($1, ${inAnHour}, ARRAY['del_${openId(2)}'], NULL, true, 0),
           ($2, ${inAnHour}, ARRAY['del_${openId(3)}'], $3, false, 1)`,
        [held, waiting, id],
      );
      await insert(
        `SELECT lpad(n::text, 22, 'A'), 'delivered', NULL::timestamptz, NULL::uuid FROM generate_series(1, 1200) AS n`,
      );
      const open = async (query: string): Promise<[string[], string | null]> => {
        const { deliveries, nextCursor } = await log.list(id, query);
        return [deliveries.map((delivery) => delivery.id.slice(-1)), nextCursor];
      };
      expect(await open('?state=retrying')).toEqual([['1'], null]);
      expect(await open('?state=pending')).toEqual([['3', '2'], null]);
      const [first, cursor] = await open('?state=pending&limit=1');
      expect(first).toEqual(['3']);
      expect(await open(`?state=pending&limit=1&cursor=${cursor}`)).toEqual([['2'], null]);
      expect(await open('?state=pending&event=test.ping')).toEqual([[], null]);
      await fixture.pool.query('DELETE FROM leases WHERE id = ANY($1)', [[held, waiting]]);
    }, 30_000);

    it.each([
      ['state=lost', 'state'],
      ['event=alert.exploded', 'event'],
      ['since=yesterday', 'since'],
      ['limit=0', 'limit'],
      ['limit=201', 'limit'],
      ['cursor=e30', 'cursor'],
    ])('400 invalid_request for %s', async (query, field) => {
      const { accountId, id } = await newEndpoint();
      expect(
        await service.call('GET', `/v1/webhooks/${id}/deliveries?${query}`, { accountId }),
      ).toMatchObject({ status: 400, body: { code: 'invalid_request', errors: [{ field }] } });
    });
  });

  describe('GET /v1/deliveries/:id', () => {
    it('responds with 200, the signed body and the first 4 KiB of the response', async () => {
      const { accountId, id, log, requests } = await newEndpoint();
      response = { status: 200, body: 'y'.repeat(10_000) };
      await fixture.publish([alertOf(accountId)]);
      const { id: deliveryId } = await log.until(id, 'delivered');
      const delivery = await log.find(deliveryId);
      expect(delivery.body).toBe(requests()[0]?.body.toString());
      expect(delivery.attempts).toMatchObject([{ attempt: 1, responseHead: 'y'.repeat(4_096) }]);
    }, 30_000);

    it('responds with 200 and the headers of request and response, without signatures and secrets', async () => {
      const { accountId, id, log, requests } = await newEndpoint();
      response = {
        status: 200,
        headers: { 'x-served-by': 'receiver-7', 'set-cookie': 'session=s3cret', location: '/a?token=s3cret' },
      };
      await fixture.publish([alertOf(accountId)]);
      const { id: deliveryId, attempts } = await log.until(id, 'delivered');
      expect(attempts[0]).not.toHaveProperty('responseHeaders');
      const [attempt] = (await log.find(deliveryId)).attempts;
      const shown = (headers: { name: string; value: string }[] | null | undefined) =>
        Object.fromEntries((headers ?? []).map(({ name, value }) => [name, value]));
      expect(shown(attempt?.responseHeaders)).toMatchObject({
        'x-served-by': 'receiver-7',
        'set-cookie': 'hidden',
        location: '/a?…',
      });
      const received = requests()[0]?.headers ?? {};
      const sent = shown(attempt?.requestHeaders);
      expect(sent).toMatchObject({ 'x-service-signature': 'hidden', 'webhook-signature': 'hidden' });
      const isHidden = (name: string): boolean => sent[name] === 'hidden';
      for (const name of Object.keys(sent).filter((each) => !isHidden(each)))
        expect([name, sent[name]]).toEqual([name, received[name]]);
      const set = Object.keys(received).filter(
        (name) => !['host', 'connection', 'content-length'].includes(name),
      );
      expect(Object.keys(sent).sort()).toEqual(set.sort());
      expect(JSON.stringify(attempt)).not.toContain('s3cret');
    }, 30_000);

    it('says that a request had two signatures during an overlap', async () => {
      const { accountId, id, log } = await newEndpoint();
      await service.call('POST', `/v1/webhooks/${id}/rotate-secret`, {
        accountId,
        body: { overlapHours: 1 },
      });
      await service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
      const [attempt] = (await log.find((await log.until(id, 'delivered')).id)).attempts;
      expect(attempt?.requestHeaders).toContainEqual({ name: 'x-service-signature-next', value: 'hidden' });
    }, 30_000);

    it('responds with 200 and without headers for an attempt of an earlier release', async () => {
      const { accountId, id, log } = await newEndpoint();
      await service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
      const { id: deliveryId } = await log.until(id, 'delivered');
      await fixture.pool.query(
        `UPDATE attempts SET user_agent = NULL, signatures = NULL, response_headers = '' WHERE delivery_id = $1`,
        [deliveryId],
      );
      expect((await log.find(deliveryId)).attempts).toMatchObject([
        { requestHeaders: null, responseHeaders: null, statusCode: 200 },
      ]);
    }, 30_000);

    it('responds with 200 and the reason for a missing response, and for a test', async () => {
      const accountId = newId('acc');
      const { id } = await service.register(accountId, 'http://127.0.0.1:2/', ['alert.created']);
      await service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
      const log = logClient(service, accountId);
      expect(await log.find((await log.until(id, 'failed')).id)).toMatchObject({
        event: 'test.ping',
        isTest: true,
        attempts: [{ statusCode: null, error: expect.stringContaining('refused'), responseHead: '' }],
      });
    });
  });

  describe('POST /v1/deliveries/:id/retry', () => {
    it('202: attempt 6 of a failed delivery, then 7, without further retries', async () => {
      const { accountId, id, log, requests, retry } = await newEndpoint();
      response = { status: 500 };
      await fixture.publish([alertOf(accountId)]);
      const { id: deliveryId, attempts } = await log.until(id, 'retrying');
      await exhaust(id);
      const collector = await collectEvents(fixture.kafka, 'delivery.v1');
      const accepted = await retry(deliveryId);
      expect(accepted).toMatchObject({ status: 202, body: { delivery: { id: deliveryId } } });
      const failed = await log.until(id, 'failed');
      expect(failed).toMatchObject({ nextAttemptAt: null, attempts: [attempts[0], { attempt: 6 }] });
      expect(requests()[1]?.headers).toMatchObject({
        'x-service-attempt': '6',
        'x-service-delivery': deliveryId,
      });
      response = { status: 200 };
      await retry(deliveryId);
      const delivered = await log.until(id, 'delivered');
      expect(delivered.attempts.map(({ attempt }) => attempt)).toEqual([1, 6, 7]);
      expect(requests()[2]?.body).toEqual(requests()[0]?.body);
      const published = () =>
        collector.events.flatMap(({ value }) => (value?.webhookId === id ? [value.state] : []));
      await waitFor(() => published().length === 5, { message: 'the results of both retries are published' });
      await collector.stop();
      expect(published()).toEqual(['retrying', 'pending', 'failed', 'pending', 'delivered']);
    }, 30_000);

    it('202: one attempt of a skipped delivery, without further retries', async () => {
      const { accountId, id, log, retry, enable } = await newEndpoint();
      await enable(false);
      await fixture.publish([alertOf(accountId)]);
      const { id: deliveryId } = await log.until(id, 'skipped');
      await enable(true);
      response = { status: 500 };
      expect((await retry(deliveryId)).status).toBe(202);
      expect(await log.until(id, 'failed')).toMatchObject({
        nextAttemptAt: null,
        attempts: [{ attempt: 1 }],
      });
    }, 30_000);

    it('responds with 409 conflict unless it is failed or skipped', async () => {
      const { accountId, id, log, retry } = await newEndpoint();
      await fixture.publish([alertOf(accountId)]);
      const { id: delivered } = await log.until(id, 'delivered');
      response = { status: 500 };
      await fixture.publish([alertOf(accountId)]);
      const { id: retrying } = await log.until(id, 'retrying');
      for (const deliveryId of [delivered, retrying]) {
        expect(await retry(deliveryId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      }
    }, 30_000);

    it('responds with 409 conflict while the endpoint is disabled, and after its deletion', async () => {
      const { accountId, id, log, retry, enable } = await newEndpoint();
      await enable(false);
      await fixture.publish([alertOf(accountId)]);
      const { id: deliveryId } = await log.until(id, 'skipped');
      expect(await retry(deliveryId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      await service.call('DELETE', `/v1/webhooks/${id}`, { accountId });
      expect(await retry(deliveryId)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }, 30_000);
  });

  describe('POST /v1/deliveries/:id/resend', () => {
    it('202: one more attempt of a delivered delivery, with the same body and event', async () => {
      const { accountId, id, log, requests, resend } = await newEndpoint();
      await fixture.publish([alertOf(accountId)]);
      const { id: deliveryId } = await log.until(id, 'delivered');
      expect(await resend(deliveryId)).toMatchObject({
        status: 202,
        body: { delivery: { id: deliveryId, state: 'pending', finishedAt: null } },
      });
      await waitFor(() => requests().length === 2, { message: 'the second request' });
      const delivered = await log.until(id, 'delivered');
      expect(delivered.attempts.map(({ attempt }) => attempt)).toEqual([1, 2]);
      const [first, second] = requests();
      expect(second?.body).toEqual(first?.body);
      expect(second?.headers).toMatchObject({
        'x-service-event-id': first?.headers['x-service-event-id'],
        'x-service-delivery': deliveryId,
        'x-service-attempt': '2',
      });
      response = { status: 500 };
      await resend(deliveryId);
      expect(await log.until(id, 'failed')).toMatchObject({ nextAttemptAt: null });
    }, 30_000);

    it('responds with 409 conflict unless it is delivered and its endpoint enabled, and 404 to others', async () => {
      const { accountId, id, log, resend, enable } = await newEndpoint();
      await fixture.publish([alertOf(accountId)]);
      const { id: delivered } = await log.until(id, 'delivered');
      const other = await newEndpoint();
      expect(await other.resend(delivered)).toMatchObject({ status: 404, body: { code: 'not_found' } });
      await enable(false);
      await fixture.publish([alertOf(accountId)]);
      const { id: skipped } = await log.until(id, 'skipped');
      expect(await resend(delivered)).toMatchObject({ status: 409, body: { code: 'conflict' } });
      await enable(true);
      expect(await resend(skipped)).toMatchObject({ status: 409, body: { code: 'conflict' } });
    }, 30_000);
  });

  describe('POST /v1/webhooks/:id/recover', () => {
    it('responds with 202 and the count of failed and skipped deliveries, and delivers all of them', async () => {
      const { accountId, id, log, recover, enable } = await newEndpoint();
      const since = new Date().toISOString();
      response = { status: 500 };
      await fixture.publish([alertOf(accountId)]);
      await log.until(id, 'retrying');
      await exhaust(id);
      await enable(false);
      await fixture.publish([alertOf(accountId), alertOf(accountId, { status: 'resolved' })]);
      const states = async () => (await log.list(id)).deliveries.map(({ state }) => state).sort();
      await waitFor(async () => (await states()).length === 3, { message: 'all three are in the log' });
      expect(await states()).toEqual(['failed', 'skipped', 'skipped']);
      expect(await recover({ since })).toMatchObject({ status: 409, body: { code: 'conflict' } });

      await enable(true);
      response = { status: 200 };
      const later = new Date(Date.now() + 60_000).toISOString();
      expect(await recover({ since: later })).toEqual({ status: 202, body: { count: 0, isComplete: true } });
      expect(await recover({ since, states: ['skipped'] })).toMatchObject({
        status: 202,
        body: { count: 2 },
      });
      expect(await recover({ since })).toMatchObject({ status: 202, body: { count: 1 } });
      await waitFor(async () => (await states()).every((state) => state === 'delivered'), {
        message: 'all three are delivered',
      });
    }, 30_000);

    it('excludes tests', async () => {
      const { accountId, id, log, recover } = await newEndpoint();
      response = { status: 500 };
      await service.call('POST', `/v1/webhooks/${id}/test`, { accountId });
      await log.until(id, 'failed');
      expect((await recover({ since: '2026-01-01' })).body).toEqual({ count: 0, isComplete: true });
    });

    it.each([
      [{}, 'since'],
      [{ since: 'yesterday' }, 'since'],
      [{ since: '2026-11-01', states: ['delivered'] }, 'states[0]'],
      [{ since: '2026-11-01', states: [] }, 'states'],
      [{ since: '2026-11-01', until: '2026-11-02' }, 'until'],
    ])('400 invalid_request for %j', async (body, field) => {
      const { recover } = await newEndpoint();
      expect(await recover(body)).toMatchObject({
        status: 400,
        body: { code: 'invalid_request', errors: [{ field }] },
      });
    });
  });

  it("404 not_found for another account's endpoints and deliveries", async () => {
    const { accountId, id, log } = await newEndpoint();
    await fixture.publish([alertOf(accountId)]);
    const { id: deliveryId } = await log.until(id, 'delivered');
    const stranger = newId('acc');
    for (const [method, path, body] of [
      ['GET', `/v1/webhooks/${id}/deliveries`],
      ['POST', `/v1/webhooks/${id}/recover`, { since: '2026-11-01' }],
      ['GET', `/v1/deliveries/${deliveryId}`],
      ['POST', `/v1/deliveries/${deliveryId}/retry`],
    ] as const) {
      expect(await service.call(method, path, { accountId: stranger, ...(body && { body }) })).toMatchObject({
        status: 404,
        body: { code: 'not_found' },
      });
    }
  }, 30_000);
});
