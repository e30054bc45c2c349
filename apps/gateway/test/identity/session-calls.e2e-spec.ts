import { SCOPES, type UsageReport } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import Redis from 'ioredis';
import { Browser, outcome } from './browser';
import { Fixture, type TestResponse, call, expectFiveHeaders } from '../fixture';
import type { ReceivedRequest } from '../test-upstream';

jest.setTimeout(60_000);

describe('a session at /v1', () => {
  let fixture: Fixture;
  let gateways: [string, string];

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateways = [await fixture.gateway(), await fixture.gateway()];
  });
  afterAll(() => fixture.stop());

  it('has the account’s tier, every scope, and no cookie goes to a service', async () => {
    const browser = await Browser.signedIn(gateways[0]);
    const response = await browser.get('/v1/positions');
    const seen = response.body as unknown as ReceivedRequest;
    expect(seen.identity).toMatchObject({
      keyId: expect.stringMatching(/^ses_/),
      tier: 'open',
      scopes: [...SCOPES],
    });
    expect(seen.headers).not.toHaveProperty('cookie');
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '60', 'x-service-tier': 'open' });
    expect(outcome(await browser.get('/v1/webhooks'))).toEqual([403, 'tier_required']);
    await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'pro');
    await waitFor(async () => (await browser.get('/v1/webhooks')).status === 200, {
      timeoutMs: 10_000,
      message: 'the new tier',
    });
  });

  it.each([
    ['open', 60, '1000'],
    ['pro', 120, '100000'],
    ['business', 300, '1000000'],
    ['enterprise', 1_000, undefined],
  ] as const)(
    '%s: %i calls a minute over all gateways, within the day of the account',
    async (tier, perMinute, perDay) => {
      const browser = await Browser.signedIn(gateways[0]);
      await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', tier);
      const { body } = await browser.post('/account/v1/keys', { name: 'mine' });
      const other = new Browser(gateways[1], browser.email);
      const { body: signedIn } = await other.logIn();
      const { id } = signedIn.account as { id: string };
      const first = await waitFor(
        async () => {
          const response = await browser.get('/v1/positions');
          return response.headers['x-service-tier'] === tier && response;
        },
        { timeoutMs: 10_000, message: 'the tier' },
      );
      expect(first.headers['x-ratelimit-limit']).toBe(String(perMinute));
      expect(first.headers['x-dailylimit-limit']).toBe(perDay);
      const { key } = body.key as { key: string };
      const before = await call(gateways[1], '/v1/positions', key);
      await other.get('/v1/positions');
      const after = await call(gateways[0], '/v1/positions', key);
      if (perDay !== undefined) expect(usedToday(after) - usedToday(before)).toBe(2);
      const refused = await waitFor(
        async () => {
          await useUp(id, perMinute);
          const response = await browser.get('/v1/positions');
          return response.status === 429 && response;
        },
        { message: 'a rejection' },
      );
      expect(refused.body.code).toBe('rate_limited');
      expect((await call(gateways[0], '/v1/positions', key)).status).toBe(200);
    },
  );

  it('429 when the account has used up its day', async () => {
    const browser = await Browser.signedIn(gateways[0]);
    const { body } = await browser.get('/account/v1/session');
    await fixture.useUpDay((body.account as { id: string }).id, 1_000);
    expect(outcome(await browser.get('/v1/positions'))).toEqual([429, 'daily_limit_exceeded']);
  });

  it('appears in the usage of the account', async () => {
    const counting = await fixture.gateway({ USAGE_WRITE_INTERVAL_MS: 100 });
    const browser = await Browser.signedIn(counting);
    await browser.get('/v1/positions');
    await waitFor(
      async () => {
        const { body } = await browser.get('/account/v1/usage');
        const { endpoints } = body as unknown as UsageReport;
        return endpoints.some(({ endpoint, calls }) => endpoint === 'GET /v1/positions' && calls === 1);
      },
      { message: 'the call in the report' },
    );
  });

  it('may write only from a page of this origin', async () => {
    const browser = await Browser.signedIn(gateways[0]);
    const watch = () => browser.post('/v1/wallets', { address: '0x1' });
    expect((await watch()).status).toBe(200);
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
    ];
    for (const headers of foreign) {
      browser.headers = headers;
      const response = await watch();
      expect(outcome(response)).toEqual([403, 'foreign_origin']);
      expectFiveHeaders(response.headers, 'open');
      expect(outcome(await browser.get('/v1/positions'))).toEqual([403, 'foreign_origin']);
    }
    browser.headers = { origin: gateways[0] };
    expect((await watch()).status).toBe(200);
  });

  it('is ignored beside a key', async () => {
    const browser = await Browser.signedIn(gateways[0]);
    const { key, keyId } = await fixture.account('pro');
    browser.headers = { 'x-api-key': key, 'sec-fetch-site': 'cross-site' };
    const seen = (await browser.get('/v1/positions')).body as unknown as ReceivedRequest;
    expect(seen.identity?.keyId).toBe(keyId);
    browser.headers = { 'x-api-key': 'wrong' };
    expect(outcome(await browser.get('/v1/positions'))).toEqual([401, 'invalid_api_key']);
  });

  it('ends on every gateway within a second after the log-out', async () => {
    const browser = await Browser.signedIn(gateways[0]);
    const elsewhere = new Browser(gateways[1], browser.email);
    elsewhere.cookie = browser.cookie;
    expect((await elsewhere.get('/v1/positions')).status).toBe(200);
    await browser.post('/account/v1/log-out');
    await waitFor(async () => (await elsewhere.get('/v1/positions')).status === 401, {
      timeoutMs: 10_000,
      message: '401 elsewhere',
    });
    const response = await elsewhere.get('/v1/positions');
    expect(outcome(response)).toEqual([401, 'not_signed_in']);
    expectFiveHeaders(response.headers, 'open');
  });

  it('401 missing_api_key with a cookie that is not ours', async () => {
    const browser = new Browser(gateways[0]);
    browser.cookie = 'theme=dark';
    expect(outcome(await browser.get('/v1/positions'))).toEqual([401, 'missing_api_key']);
  });

  const usedToday = ({ headers }: TestResponse): number =>
    Number(headers['x-dailylimit-limit']) - Number(headers['x-dailylimit-remaining']);

  /** Calls of an account's sessions in the window of its last call. */
  async function useUp(accountId: string, calls: number): Promise<void> {
    const redis = new Redis(fixture.redis.url);
    await redis.hset(`${fixture.redis.keyPrefix}limit:account:${accountId}`, 'sc', String(calls));
    await redis.quit();
  }
});
