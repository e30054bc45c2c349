import { Browser, outcome } from './identity/browser';
import { Fixture, call } from './fixture';

jest.setTimeout(60_000);

const PORTAL = 'https://portal.example.com';
const PATHS = ['/account/v1/session', '/v1/positions', '/openapi.json'];

describe('PORTAL_ORIGIN', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway({ PORTAL_ORIGIN: PORTAL });
  });
  afterAll(() => fixture.stop());

  const preflight = (origin: string, path: string, at = gateway) =>
    call(at, path, undefined, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'POST', 'sec-fetch-site': 'same-site' },
    });

  it.each(PATHS)('%s: a preflight of that origin is allowed, and of no other', async (path) => {
    const { status, headers } = await preflight(PORTAL, path);
    expect([status, headers]).toMatchObject([
      204,
      {
        'access-control-allow-origin': PORTAL,
        'access-control-allow-credentials': 'true',
        'access-control-allow-methods': expect.stringContaining('DELETE'),
        'access-control-allow-headers': expect.stringContaining('content-type'),
      },
    ]);
    for (const origin of ['https://evil.example', 'https://portal.example.com.evil.example', 'null']) {
      const refused = await preflight(origin, path);
      expect(refused.status).toBeGreaterThanOrEqual(400);
      expect(refused.headers).not.toHaveProperty('access-control-allow-origin');
    }
  });

  it('a page of that origin reads and changes with its session', async () => {
    const browser = await Browser.signedIn(gateway);
    browser.headers = { origin: PORTAL, 'sec-fetch-site': 'same-site' };
    for (const path of PATHS) {
      const { status, headers } = await browser.get(path);
      expect([path, status, headers['access-control-allow-origin']]).toEqual([path, 200, PORTAL]);
      expect(headers['access-control-expose-headers']).toMatch(/X-Request-Id.*Link, X-Unreadable/);
    }
    expect((await browser.post('/account/v1/keys', { name: 'from the portal' })).status).toBe(201);
    const refused = await browser.post('/v1/webhooks', {});
    expect([outcome(refused), refused.headers['access-control-allow-origin']]).toEqual([
      [403, 'tier_required'],
      PORTAL,
    ]);
  });

  it('pages of other origins stay foreign, with and without it', async () => {
    const without = await fixture.gateway();
    for (const at of [gateway, without]) {
      const browser = await Browser.signedIn(at);
      browser.headers = {
        origin: at === gateway ? 'https://evil.example' : PORTAL,
        'sec-fetch-site': 'same-site',
      };
      for (const path of PATHS.slice(0, 2)) {
        const response = await browser.get(path);
        expect([path, ...outcome(response)]).toEqual([path, 403, 'foreign_origin']);
        expect(response.headers).not.toHaveProperty('access-control-allow-origin');
      }
      expect(outcome(await browser.post('/account/v1/log-out'))).toEqual([403, 'foreign_origin']);
    }
    expect((await preflight(PORTAL, '/v1/positions', without)).headers).not.toHaveProperty(
      'access-control-allow-origin',
    );
  });
});
