import { once } from 'node:events';
import { ENDPOINTS } from '@plimsoll/access';
import { type KeyItem, isTestAccount, testAccountId } from '@plimsoll/contracts';
import { testIdentityKeys, waitFor } from '@plimsoll/testing';
import { WebSocket } from 'ws';
import { Fixture, call, expectFiveHeaders } from './fixture';
import { Browser, outcome } from './identity/browser';
import { type ReceivedRequest, TestUpstream } from './test-upstream';

jest.setTimeout(60_000);

type Made = KeyItem & { key: string };

describe('test keys', () => {
  let fixture: Fixture;
  let sandbox: TestUpstream;
  let gateway: string;
  /** Requests that a live service received. */
  let live: string[];

  beforeAll(async () => {
    fixture = await Fixture.start();
    const { echo } = fixture.upstream;
    live = [];
    fixture.upstream.handler = (request, response) => {
      live.push(request.url ?? '');
      echo(request, response);
    };
    sandbox = new TestUpstream(testIdentityKeys());
    gateway = await fixture.gateway({
      UPSTREAM_SANDBOX: await sandbox.start(),
      USAGE_WRITE_INTERVAL_MS: 50,
    });
  });
  afterAll(async () => {
    await fixture.stop();
    await sandbox.stop();
  });
  beforeEach(() => {
    live.length = 0;
  });

  const made = async (browser: Browser, body: object): Promise<Made> =>
    (await browser.post('/account/v1/keys', body)).body.key as Made;
  const accountOf = async (browser: Browser): Promise<string> =>
    String(((await browser.get('/account/v1/session')).body.account as { id: string }).id);
  const testKey = async (testTier = 'enterprise'): Promise<{ browser: Browser; key: Made }> => {
    const browser = await Browser.signedIn(gateway);
    return { browser, key: await made(browser, { name: 'ci', testTier }) };
  };

  it('have a prefix and a tier of their own, above that of the account', async () => {
    const { key } = await testKey('business');
    expect(key).toMatchObject({ testTier: 'business', status: 'active' });
    expect(key.key).toMatch(/^psk_test_[0-9A-Za-z]{38}$/);
    const response = await call(gateway, '/v1/whales/activity', key.key);
    expect(response.status).toBe(200);
    expectFiveHeaders(response.headers, 'business');
    expect(outcome(await call(gateway, '/v1/streams/alerts', key.key))).toEqual([403, 'tier_required']);
  });

  it('do not use the place of a live key, and have a cap of ten', async () => {
    const { browser } = await testKey();
    expect((await made(browser, { name: 'live' })).testTier).toBeNull();
    for (let count = 1; count < 10; count += 1) await made(browser, { name: 'ci', testTier: 'open' });
    const full = await browser.post('/account/v1/keys', { name: 'ci', testTier: 'open' });
    expect(outcome(full)).toEqual([403, 'quota_reached']);
    const { keys } = (await browser.get('/account/v1/keys')).body as unknown as { keys: KeyItem[] };
    expect(keys.every(({ status }) => status === 'active')).toBe(true);
  });

  it('keep their mode and tier when they are rotated', async () => {
    const { browser, key } = await testKey('pro');
    const { body } = await browser.post(`/account/v1/keys/${key.id}/rotate`, { overlapHours: 0 });
    expect(body.key).toMatchObject({ testTier: 'pro' });
    expect((body.key as Made).key).toMatch(/^psk_test_/);
  });

  it('reach the sandbox alone, with another account than the live one', async () => {
    const { browser, key } = await testKey();
    const accountId = await accountOf(browser);
    for (const path of [
      '/v1/positions',
      '/v1/alerts',
      '/v1/events',
      '/v1/prices?symbols=ETH',
      '/v1/test/clock',
    ]) {
      const { status, body } = await call(gateway, path, key.key);
      const seen = body as unknown as ReceivedRequest;
      expect(status).toBe(200);
      expect(seen).toMatchObject({ target: path, identity: { accountId: testAccountId(accountId) } });
      expect(isTestAccount(seen.identity!.accountId)).toBe(true);
    }
    expect(live).toEqual([]);
  });

  it('send identities that no live service accepts', async () => {
    const { key } = await testKey();
    const { headers } = (await call(gateway, '/v1/positions', key.key)).body as unknown as ReceivedRequest;
    const [, claims = ''] = headers['x-plimsoll-identity']!.split('.');
    const { audiences } = JSON.parse(Buffer.from(claims, 'base64url').toString()) as { audiences: string[] };
    expect(audiences).toEqual(['sandbox']);
  });

  it.each(['/v1/ai/risk-qa', '/v1/execution/deleverage', '/v1/streams/tickets'])(
    '403 not_in_test_mode for POST %s',
    async (path) => {
      const { key } = await testKey();
      const response = await call(gateway, path, key.key, { method: 'POST', body: '{}' });
      expect(outcome(response)).toEqual([403, 'not_in_test_mode']);
      expect(live).toEqual([]);
    },
  );

  it.each(
    ENDPOINTS.filter(({ service }) => service === 'sandbox').map(
      ({ method, path }) => [method, path] as const,
    ),
  )('403 test_key_required for a live key at %s %s, success for a test key', async (method, path) => {
    const { key } = await fixture.account('enterprise');
    expect(outcome(await call(gateway, path, key, { method }))).toEqual([403, 'test_key_required']);
    const { key: ofTest } = await testKey('open');
    expect((await call(gateway, path, ofTest.key, { method })).status).toBe(200);
  });

  it('have their own usage, and use none of the live quota', async () => {
    const { browser, key } = await testKey('pro');
    await call(gateway, '/v1/positions', key.key);
    const report = await waitFor(
      async () => {
        const { body } = await call(gateway, '/v1/usage', key.key);
        return Number(body.calls) > 0 && body;
      },
      { message: 'the usage of the test key is written' },
    );
    expect(report).toMatchObject({ quota: { requestsPerMinute: 60 } });
    expect((await browser.get('/account/v1/usage')).body).toMatchObject({ calls: 0 });
  });

  it('end within a second after they are revoked', async () => {
    const { browser, key } = await testKey();
    expect((await call(gateway, '/v1/positions', key.key)).status).toBe(200);
    await browser.delete(`/account/v1/keys/${key.id}`);
    await waitFor(async () => (await call(gateway, '/v1/positions', key.key)).status === 401, {
      timeoutMs: 1_000,
      message: 'the key ends',
    });
  });

  it('end their open streams when they are revoked, and no other stream of the account', async () => {
    const { browser, key } = await testKey();
    const other = await made(browser, { name: 'other', testTier: 'enterprise' });
    const [revoked, kept] = [key, other].map((each) => {
      const headers = { 'x-api-key': each.key };
      return new WebSocket(`${gateway.replace('http', 'ws')}/v1/streams/alerts`, { headers });
    }) as [WebSocket, WebSocket];
    await Promise.all([once(revoked, 'open'), once(kept, 'open')]);
    const closed = once(revoked, 'close');
    await browser.delete(`/account/v1/keys/${key.id}`);
    await closed;
    kept.send('still open');
    const [echo] = (await once(kept, 'message')) as [Buffer];
    expect(echo.toString()).toMatch(/welcome|still open/);
    expect(kept.readyState).toBe(WebSocket.OPEN);
    kept.close();
  });

  it('get 503 on a platform without a sandbox, and reach no live service', async () => {
    const { key } = await testKey();
    const without = await fixture.gateway();
    expect(outcome(await call(without, '/v1/positions', key.key))).toEqual([503, 'upstream_unavailable']);
    expect(live).toEqual([]);
  });
});
