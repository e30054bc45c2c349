import { Browser, outcome } from './browser';
import { Fixture, call } from '../fixture';

jest.setTimeout(60_000);

describe('without SMTP_URL', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway();
  });
  afterAll(() => fixture.stop());

  describe('POST /account/v1/sign-up', () => {
    it('201, and the account is of the open tier', async () => {
      const browser = new Browser(gateway);
      const response = await browser.signUp();
      expect([response.status, response.body]).toEqual([201, { status: 'created' }]);
      expect(response.headers['x-request-id']).toMatch(/^req_/);
      expect(response.headers['cache-control']).toBe('no-store');
      expect(response.headers).not.toHaveProperty('set-cookie');
      const { body } = await browser.logIn();
      expect(body.account).toMatchObject({
        email: browser.email.toLowerCase(),
        tier: 'open',
        limits: { requestsPerMinute: 10, requestsPerDay: 1_000, keys: 1, webhooks: 0, wallets: 3 },
      });
    });

    it('409 for an address that has an account, in any case', async () => {
      const browser = new Browser(gateway);
      await browser.signUp();
      const again = new Browser(gateway, browser.email.toUpperCase());
      expect(outcome(await again.signUp())).toEqual([409, 'conflict']);
    });

    it.each([
      [{ email: 'nobody', password: 'correct horse battery' }, 'email'],
      [{ email: 'a@example.com', password: 'short' }, 'password'],
      [{ email: 'a@example.com', password: 'x'.repeat(129) }, 'password'],
      [{ email: 'a@example.com' }, 'password'],
      [{ email: 'a@example.com', password: 'correct horse battery', tier: 'enterprise' }, 'tier'],
    ])('400 for %j', async (body, field) => {
      const response = await new Browser(gateway).post('/account/v1/sign-up', body);
      expect(outcome(response)).toEqual([400, 'invalid_request']);
      expect((response.body.errors as { field: string }[])[0]?.field).toBe(field);
      expect(response.headers['content-type']).toMatch(/^application\/problem\+json/);
    });

    it.each([
      ['application/x-www-form-urlencoded', 'email=a@example.com', [415, 'unsupported_media_type']],
      ['text/plain', '{"email":"a@example.com"}', [415, 'unsupported_media_type']],
      ['application/json', '{"email":', [400, 'invalid_json']],
    ])('refuses a body of %s: %s', async (type, body, expected) => {
      const headers = { 'content-type': type };
      const response = await call(gateway, '/account/v1/sign-up', undefined, {
        method: 'POST',
        body,
        headers,
      });
      expect(outcome(response)).toEqual(expected);
    });

    it('429 from the sixth request of an address in a minute', async () => {
      const browser = new Browser(gateway, 'same-address@example.com');
      const responses = await Promise.all(
        Array.from({ length: 11 }, (_, i) =>
          browser.post('/account/v1/sign-up', {
            email: `many-${i}@example.com`,
            password: browser.password,
          }),
        ),
      );
      const refused = responses.filter(({ status }) => status === 429);
      // Two windows may meet between the first and the last.
      expect(refused.length).toBeGreaterThanOrEqual(1);
      expect(refused[0]?.body.code).toBe('rate_limited');
      expect(Number(refused[0]?.headers['retry-after'])).toBeGreaterThan(0);
      expect((await new Browser(gateway).signUp()).status).toBe(201);
    });
  });

  it('403 for a page of another origin, for every request', async () => {
    const browser = await Browser.signedIn(gateway);
    const foreign: Record<string, string>[] = [
      { 'sec-fetch-site': 'cross-site' },
      { 'sec-fetch-site': 'same-site' },
      { origin: 'https://evil.example' },
      { origin: 'null' },
    ];
    for (const headers of foreign) {
      browser.headers = headers;
      expect(outcome(await browser.post('/account/v1/log-out'))).toEqual([403, 'foreign_origin']);
      expect(outcome(await browser.signUp())).toEqual([403, 'foreign_origin']);
      expect(outcome(await browser.get('/account/v1/keys'))).toEqual([403, 'foreign_origin']);
    }
    browser.headers = { origin: gateway };
    expect((await browser.get('/account/v1/session')).status).toBe(200);
  });

  it('does not mention mails if no mail server is configured', async () => {
    const browser = new Browser(gateway);
    await browser.signUp();
    for (const path of ['email-check/send', 'password/forgot']) {
      const response = await browser.post(`/account/v1/${path}`, { email: browser.email });
      expect([response.status, response.body]).toEqual([202, { success: true }]);
    }
  });

  it('404 for a route that does not exist', async () => {
    expect(outcome(await new Browser(gateway).get('/account/v1/nothing'))).toEqual([404, 'route_not_found']);
  });
});
