import { type KeyItem, SCOPES } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import { Browser, outcome } from './browser';
import { Fixture, call } from '../fixture';

jest.setTimeout(60_000);

type Made = KeyItem & { key: string };
const NO_KEY = `key_${'0'.repeat(22)}`;

describe('/account/v1/keys', () => {
  let fixture: Fixture;
  let gateways: [string, string];

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateways = [await fixture.gateway({ USAGE_WRITE_INTERVAL_MS: 100 }), await fixture.gateway()];
  });
  afterAll(() => fixture.stop());

  const person = async (tier = 'pro'): Promise<Browser> => {
    const browser = await Browser.signedIn(gateways[0]);
    await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', tier);
    return browser;
  };
  const make = async (browser: Browser, body: object = { name: 'ci' }): Promise<Made> =>
    (await browser.post('/account/v1/keys', body)).body.key as Made;
  const list = async (browser: Browser): Promise<KeyItem[]> =>
    (await browser.get('/account/v1/keys')).body.keys as KeyItem[];
  const statuses = (key: string): Promise<number[]> =>
    Promise.all(gateways.map(async (gateway) => (await call(gateway, '/v1/status', key)).status));

  describe('POST', () => {
    it('201 with the key, shown once, that works immediately with its scopes', async () => {
      const browser = await person();
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const body = { name: 'alerts only', scopes: ['alerts:read'], expiresAt };
      const response = await browser.post('/account/v1/keys', body);
      expect(response.status).toBe(201);
      const made = response.body.key as Made;
      expect(made).toMatchObject({ ...body, status: 'active', lastUsedAt: null, revokedAt: null });
      expect(made.key).toMatch(/^psk_live_[0-9A-Za-z]{38}$/);
      expect(await statuses(made.key)).toEqual([200, 200]);
      expect((await call(gateways[0], '/v1/alerts', made.key)).status).toBe(200);
      expect(outcome(await call(gateways[0], '/v1/webhooks', made.key))).toEqual([403, 'scope_required']);
      const listed = await browser.get('/account/v1/keys');
      expect(listed.body).toMatchObject({ keys: [{ id: made.id }], count: 1, limit: 5, nextCursor: null });
      expect(JSON.stringify(listed.body)).not.toContain(made.key);
    });

    it('has all scopes and no expiry by default', async () => {
      const made = await make(await person());
      expect(made).toMatchObject({ scopes: [...SCOPES], expiresAt: null });
    });

    it.each([
      ['open', 1],
      ['pro', 5],
    ] as const)('403 quota_reached on %s after %i', async (tier, cap) => {
      const browser = await person(tier);
      for (let i = 0; i < cap; i += 1) await make(browser);
      const response = await browser.post('/account/v1/keys', { name: 'one more' });
      expect(outcome(response)).toEqual([403, 'quota_reached']);
    });

    it.each([
      [{}, 'name'],
      [{ name: ' ' }, 'name'],
      [{ name: 'a\0b' }, 'name'],
      [{ name: 'x', scopes: [] }, 'scopes'],
      [{ name: 'x', scopes: ['everything'] }, 'scopes[0]'],
      [{ name: 'x', expiresAt: 'soon' }, 'expiresAt'],
      [{ name: 'x', expiresAt: '2030-01-01' }, 'expiresAt'],
      [{ name: 'x', expiresAt: '2020-01-01T00:00:00Z' }, 'expiresAt'],
      [{ name: 'x', key: 'mine' }, 'key'],
    ])('400 for %j', async (body, field) => {
      const response = await (await signedInOnce()).post('/account/v1/keys', body);
      expect(outcome(response)).toEqual([400, 'invalid_request']);
      expect((response.body.errors as { field: string }[])[0]?.field).toBe(field);
    });
  });

  describe('POST :id/rotate', () => {
    it('201: both work during the overlap, then only the new one', async () => {
      const browser = await person('open');
      const old = await make(browser);
      const rotate = await browser.post(`/account/v1/keys/${old.id}/rotate`, { overlapHours: 1 });
      expect(rotate.status).toBe(201);
      const { key: made, replaced } = rotate.body as { key: Made; replaced: KeyItem };
      expect(made).toMatchObject({ name: old.name, scopes: old.scopes, expiresAt: null, status: 'active' });
      expect(replaced).toMatchObject({ id: old.id, replacedBy: made.id });
      const overlapMs = Date.parse(replaced.expiresAt ?? '') - Date.now();
      expect(overlapMs).toBeGreaterThan(3_500_000);
      expect(overlapMs).toBeLessThanOrEqual(3_600_000);
      // The open tier has one key, and the new one replaces the old one.
      expect(await statuses(made.key)).toEqual([200, 200]);
      expect(await statuses(old.key)).toEqual([200, 200]);
      expect((await list(browser)).map(({ status }) => status)).toEqual(['active', 'active']);
      const again = await browser.post(`/account/v1/keys/${made.id}/rotate`, { overlapHours: 0 });
      expect(again.status).toBe(201);
      // At most one predecessor: the first key ended with the second rotation, the second immediately.
      await waitFor(async () => (await statuses(old.key)).every((status) => status === 401), {
        timeoutMs: 10_000,
        message: '401 on both',
      });
      expect(await statuses(made.key)).toEqual([401, 401]);
      expect(await statuses((again.body.key as Made).key)).toEqual([200, 200]);
    });

    it('expires when the old key would have expired', async () => {
      const browser = await person();
      const expiresAt = new Date(Date.now() + 7_200_000).toISOString();
      const old = await make(browser, { name: 'short', expiresAt });
      const { body } = await browser.post(`/account/v1/keys/${old.id}/rotate`);
      const lifeMs = Date.parse((body.key as Made).expiresAt ?? '') - Date.now();
      expect(lifeMs).toBeGreaterThan(7_100_000);
      // The overlap of 24 hours does not extend the old one.
      expect((body.replaced as KeyItem).expiresAt).toBe(expiresAt);
    });

    it('409 for a key that was rotated or revoked, 404 for an unknown or another’s, 400 for a wrong overlap', async () => {
      const browser = await person();
      const [first, second] = [await make(browser), await make(browser)];
      const rotate = (id: string, body?: object) => browser.post(`/account/v1/keys/${id}/rotate`, body);
      await rotate(first.id);
      expect(outcome(await rotate(first.id))).toEqual([409, 'conflict']);
      await browser.delete(`/account/v1/keys/${second.id}`);
      expect(outcome(await rotate(second.id))).toEqual([409, 'conflict']);
      expect(outcome(await rotate(NO_KEY))).toEqual([404, 'not_found']);
      const others = await make(await person());
      expect(outcome(await rotate(others.id))).toEqual([404, 'not_found']);
      expect(outcome(await rotate(others.id, { overlapHours: 169 }))).toEqual([400, 'invalid_request']);
    });
  });

  describe('DELETE :id', () => {
    it('200: both gateways return 401 for the key within a second', async () => {
      const browser = await person();
      const { id, key } = await make(browser);
      expect(await statuses(key)).toEqual([200, 200]);
      const response = await browser.delete(`/account/v1/keys/${id}`);
      expect([response.status, response.body]).toEqual([200, { success: true, deleted: id }]);
      await waitFor(async () => (await statuses(key)).every((status) => status === 401), {
        timeoutMs: 10_000,
        message: '401 on both',
      });
      expect(await list(browser)).toMatchObject([{ id, status: 'revoked' }]);
      expect((await browser.delete(`/account/v1/keys/${id}`)).status).toBe(200);
    });

    it('404 for an unknown key, and for another’s, which continues to work', async () => {
      const browser = await person();
      const others = await make(await person());
      for (const id of [NO_KEY, 'x']) {
        expect(outcome(await browser.delete(`/account/v1/keys/${id}`))).toEqual([404, 'not_found']);
      }
      expect(outcome(await browser.delete('/account/v1/keys/%00'))).toEqual([400, 'invalid_request']);
      expect(outcome(await browser.delete(`/account/v1/keys/${others.id}`))).toEqual([404, 'not_found']);
      expect(await statuses(others.key)).toEqual([200, 200]);
    });
  });

  describe('GET', () => {
    it('pages newest first', async () => {
      const browser = await person();
      const made = [await make(browser), await make(browser), await make(browser)].map(({ id }) => id);
      const first = await browser.get('/account/v1/keys?limit=2');
      const next = await browser.get(`/account/v1/keys?limit=2&cursor=${String(first.body.nextCursor)}`);
      const ids = [...(first.body.keys as KeyItem[]), ...(next.body.keys as KeyItem[])].map(({ id }) => id);
      expect([ids, next.body.nextCursor]).toEqual([made.reverse(), null]);
      expect(outcome(await browser.get('/account/v1/keys?limit=0'))).toEqual([400, 'invalid_request']);
      expect(outcome(await browser.get('/account/v1/keys?cursor=x'))).toEqual([400, 'invalid_request']);
    });

    it('a lower tier disables the newest keys, a higher one enables them again', async () => {
      const browser = await person('pro');
      const [oldest, newest] = [await make(browser), await make(browser)];
      const setTier = (tier: string) =>
        fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', tier);
      await setTier('open');
      expect((await list(browser)).map(({ status }) => status)).toEqual(['disabled', 'active']);
      await waitFor(async () => (await call(gateways[0], '/v1/status', newest.key)).status === 403, {
        timeoutMs: 10_000,
        message: 'the newest key disabled',
      });
      expect((await call(gateways[0], '/v1/status', oldest.key)).status).toBe(200);
      await setTier('business');
      await waitFor(async () => (await call(gateways[0], '/v1/status', newest.key)).status === 200, {
        timeoutMs: 10_000,
        message: 'the lease of the newest key is released',
      });
    });

    it('reports the last use of a key', async () => {
      const browser = await person();
      const { key } = await make(browser);
      const before = Date.now();
      await call(gateways[0], '/v1/status', key);
      const lastUsedAt = await waitFor(async () => (await list(browser))[0]?.lastUsedAt, {
        message: 'the last use',
      });
      expect(Date.parse(lastUsedAt)).toBeGreaterThanOrEqual(before - 1_000);
      expect(Date.parse(lastUsedAt)).toBeLessThanOrEqual(Date.now() + 1_000);
    });
  });

  describe('the command line', () => {
    it('keys rotate rotates a key as the API does', async () => {
      const { keyId, key } = await fixture.account('pro');
      const { out } = await fixture.admin('keys', 'rotate', '--id', keyId, '--overlap-hours', '0');
      const made = (JSON.parse(out) as { key: Made }).key;
      expect(await statuses(made.key)).toEqual([200, 200]);
      await waitFor(async () => (await statuses(key)).every((status) => status === 401), {
        timeoutMs: 10_000,
        message: '401 on both',
      });
      const missing = await fixture.admin('keys', 'rotate', '--id', NO_KEY);
      expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/^not_found/)]);
    });
  });

  let once: Promise<Browser> | undefined;
  const signedInOnce = (): Promise<Browser> => (once ??= person());
});
