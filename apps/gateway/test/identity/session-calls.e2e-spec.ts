import { SCOPES } from '@plimsoll/contracts';
import { waitFor } from '@plimsoll/testing';
import Redis from 'ioredis';
import { Browser, outcome } from './browser';
import { Fixture, call, expectFiveHeaders } from '../fixture';
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
    expect(seen.identity).toMatchObject({ keyId: 'session', tier: 'open', scopes: [...SCOPES] });
    expect(seen.headers).not.toHaveProperty('cookie');
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '600', 'x-service-tier': 'open' });
    expect(outcome(await browser.get('/v1/webhooks'))).toEqual([403, 'tier_required']);
    await fixture.admin('accounts', 'set-tier', '--email', browser.email, '--tier', 'pro');
    await waitFor(async () => (await browser.get('/v1/webhooks')).status === 200, {
      timeoutMs: 10_000,
      message: 'the new tier',
    });
  });

  it('has its own 600 requests a minute, over all gateways, and uses none of the keys’', async () => {
    const browser = await Browser.signedIn(gateways[0]);
    const { body } = await browser.post('/account/v1/keys', { name: 'mine' });
    const other = new Browser(gateways[1], browser.email);
    const { body: signedIn } = await other.logIn();
    await browser.get('/v1/positions');
    const second = await other.get('/v1/positions');
    expect(Number(second.headers['x-ratelimit-remaining'])).toBeGreaterThanOrEqual(598);
    expect(second.headers).not.toHaveProperty('x-dailylimit-limit');
    const { id } = signedIn.account as { id: string };
    const refused = await waitFor(
      async () => {
        await useUp(id);
        const response = await browser.get('/v1/positions');
        return response.status === 429 && response;
      },
      { message: 'a rejection' },
    );
    expect(refused.body.code).toBe('rate_limited');
    const { key } = body.key as { key: string };
    const response = await call(gateways[0], '/v1/positions', key);
    expect(response.headers).toMatchObject({ 'x-ratelimit-limit': '10', 'x-dailylimit-remaining': '999' });
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

  /** Requests of an account's sessions in the window of the last request. */
  async function useUp(accountId: string): Promise<void> {
    const redis = new Redis(fixture.redis.url);
    await redis.hset(`${fixture.redis.keyPrefix}limit:session:${accountId}`, 'c', '600');
    await redis.quit();
  }
});
