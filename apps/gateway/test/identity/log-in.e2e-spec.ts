import { waitFor } from '@plimsoll/testing';
import Redis from 'ioredis';
import { Client } from 'pg';
import { Browser, outcome } from './browser';
import { Fixture } from '../fixture';

jest.setTimeout(60_000);

describe('sessions', () => {
  let fixture: Fixture;
  let gateway: string;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway();
  });
  afterAll(() => fixture.stop());

  describe('POST /account/v1/log-in', () => {
    it('200 with a cookie that scripts and other sites cannot read', async () => {
      const browser = new Browser(gateway);
      await browser.signUp();
      const response = await browser.logIn();
      expect(response.status).toBe(200);
      expect(response.headers['set-cookie']).toMatch(
        /^plimsoll_session=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=25919\d\d,plimsoll_device=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict; Max-Age=31536000$/,
      );
      expect(JSON.stringify(response.body)).not.toContain(browser.cookie?.split('=')[1]);
    });

    it('Secure and __Host- on a platform over https', async () => {
      const secure = await fixture.gateway({ PUBLIC_URL: 'https://api.example.com' });
      const browser = await Browser.signedIn(secure);
      expect(browser.cookie).toMatch(/^__Host-plimsoll_session=/);
      expect((await new Browser(secure, browser.email).logIn()).headers['set-cookie']).toMatch(
        /; Secure,.*; Secure$/,
      );
      expect((await browser.get('/account/v1/session')).status).toBe(200);
    });

    it('the same 401 for a wrong password, no such account, and an account without one', async () => {
      const known = new Browser(gateway);
      await known.signUp();
      await fixture.admin('accounts', 'create', '--tier', 'pro', '--email', 'no-password@example.com');
      const bodies = [];
      for (const browser of [known, new Browser(gateway), new Browser(gateway, 'no-password@example.com')]) {
        const response = await browser.logIn('not the password');
        expect(outcome(response)).toEqual([401, 'invalid_credentials']);
        expect(response.headers).not.toHaveProperty('set-cookie');
        bodies.push({ ...response.body, requestId: '' });
      }
      expect(bodies[1]).toEqual(bodies[0]);
      expect(bodies[2]).toEqual(bodies[0]);
    });

    it('takes about the same time for an address without an account', async () => {
      const known = new Browser(gateway);
      await known.signUp();
      // Each unknown one has its own e-mail address. A client may fail five times before it is delayed.
      const times = { known: [] as number[], unknown: [] as number[] };
      for (let i = 0; i < 5; i += 1) {
        times.known.push(await timed(() => known.logIn('wrong password')));
        times.unknown.push(await timed(() => new Browser(gateway).logIn('wrong password')));
      }
      const [a, b] = [Math.min(...times.known), Math.min(...times.unknown)];
      // The response would be ten times faster without the hash. The bound allows for a busy machine.
      expect(Math.max(a, b) / Math.min(a, b)).toBeLessThan(4);
    });

    it('200 for the owner while clients of other addresses guess', async () => {
      const owner = new Browser(gateway);
      await owner.signUp();
      await Promise.all(Array.from({ length: 12 }, () => new Browser(gateway, owner.email).logIn('a guess')));
      expect((await owner.logIn()).status).toBe(200);
    });

    it('429 with a growing delay for a client that fails, but not for a known device at its address', async () => {
      const owner = await Browser.signedIn(gateway);
      const guesser = new Browser(gateway, owner.email);
      guesser.headers = { ...guesser.headers, 'x-forwarded-for': owner.address };
      for (let i = 0; i < 5; i += 1) expect((await guesser.logIn('a guess')).status).toBe(401);
      const delayed = await guesser.logIn();
      expect(outcome(delayed)).toEqual([429, 'rate_limited']);
      expect(Number(delayed.headers['retry-after'])).toBeLessThanOrEqual(2);
      await sql('UPDATE log_in_failures SET retry_at = now() WHERE failures = 5');
      expect((await guesser.logIn('a guess')).status).toBe(401);
      expect(Number((await guesser.logIn()).headers['retry-after'])).toBeGreaterThan(2);
      expect((await owner.logIn()).status).toBe(200);
    });

    it('429 for an address that guesses the passwords of many accounts', async () => {
      const guesser = new Browser(gateway);
      const responses = await Promise.all(
        Array.from({ length: 41 }, (_, i) =>
          guesser.post('/account/v1/log-in', { email: `guess-${i}@example.com`, password: 'a guess' }),
        ),
      );
      expect(responses.some(({ status }) => status === 429)).toBe(true);
    });

    it('400 for an invalid log-in', async () => {
      const response = await new Browser(gateway).post('/account/v1/log-in', { email: 'a@example.com' });
      expect(outcome(response)).toEqual([400, 'invalid_request']);
    });
  });

  it.each([
    ['GET', '/account/v1/session'],
    ['POST', '/account/v1/log-out'],
    ['POST', '/account/v1/password/change'],
    ['GET', '/account/v1/keys'],
    ['POST', '/account/v1/keys'],
    ['POST', '/account/v1/keys/key_1/rotate'],
    ['DELETE', '/account/v1/keys/key_1'],
    ['GET', '/account/v1/usage'],
    ['GET', '/account/v1/audit'],
  ] as const)('%s %s: 401 without a session, 429 when it repeats', async (method, path) => {
    const browser = new Browser(gateway);
    browser.cookie = `plimsoll_session=${'x'.repeat(43)}`;
    expect(outcome(await browser.send(method, path))).toEqual([401, 'not_signed_in']);
    browser.cookie = undefined;
    const responses = await Promise.all(Array.from({ length: 121 }, () => browser.send(method, path)));
    expect(new Set(responses.map(({ status }) => status))).toEqual(new Set([401, 429]));
  });

  it('429 for an account that sends more than 120 requests a minute', async () => {
    const browser = await Browser.signedIn(gateway);
    const { body } = await browser.get('/account/v1/session');
    const { id } = body.account as { id: string };
    const redis = new Redis(fixture.redis.url);
    const refused = await waitFor(
      async () => {
        // In the window of the last request. The next one may begin meanwhile.
        await redis.hset(`${fixture.redis.keyPrefix}limit:account-api:${id}`, 'c', '120');
        const response = await browser.get('/account/v1/session');
        return response.status === 429 && response;
      },
      { message: 'a rejection' },
    );
    await redis.quit();
    expect(refused.body.code).toBe('rate_limited');
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('a log-out ends its session and no other', async () => {
    const browser = await Browser.signedIn(gateway);
    const { cookie } = browser;
    const other = new Browser(gateway, browser.email);
    await other.logIn();
    const response = await browser.post('/account/v1/log-out');
    expect([response.status, browser.cookie]).toEqual([200, undefined]);
    browser.cookie = cookie;
    expect(outcome(await browser.get('/account/v1/session'))).toEqual([401, 'not_signed_in']);
    expect((await other.get('/account/v1/session')).status).toBe(200);
  });

  it('end when they are unused, last longer with each use, and end at their longest lifetime', async () => {
    const browser = await Browser.signedIn(gateway);
    await sql(`UPDATE sessions SET last_seen_at = now() - interval '1 hour',
      expires_at = now() + interval '1 minute', ends_at = now() + interval '10 minutes'`);
    const { body } = await browser.get('/account/v1/session');
    const { expiresAt, endsAt } = body.session as { expiresAt: string; endsAt: string };
    expect(expiresAt).toBe(endsAt);
    await sql(`UPDATE sessions SET expires_at = now() - interval '1 second'`);
    expect(outcome(await browser.get('/account/v1/session'))).toEqual([401, 'not_signed_in']);
  });

  it('are stored as a hash', async () => {
    const browser = await Browser.signedIn(gateway);
    const token = browser.cookie?.split('=')[1] ?? '';
    expect(JSON.stringify(await sql('SELECT s::text FROM sessions s'))).not.toContain(token);
  });

  describe('POST /account/v1/password/change', () => {
    it('200: the other sessions end, and only the new password is valid', async () => {
      const browser = await Browser.signedIn(gateway);
      const other = new Browser(gateway, browser.email);
      await other.logIn();
      const passwords = { currentPassword: browser.password, newPassword: 'another horse altogether' };
      expect((await browser.post('/account/v1/password/change', passwords)).status).toBe(200);
      expect((await browser.get('/account/v1/session')).status).toBe(200);
      expect((await other.get('/account/v1/session')).status).toBe(401);
      expect((await other.logIn()).status).toBe(401);
      expect((await other.logIn('another horse altogether')).status).toBe(200);
    });

    it('400 when the current password is wrong, and 429 when it is guessed', async () => {
      const browser = await Browser.signedIn(gateway);
      const passwords = { currentPassword: 'not this one', newPassword: 'another horse altogether' };
      const responses = await Promise.all(
        Array.from({ length: 11 }, () => browser.post('/account/v1/password/change', passwords)),
      );
      const wrong = responses.find(({ status }) => status === 400);
      expect(wrong?.body.errors).toMatchObject([{ field: 'currentPassword', code: 'wrong_password' }]);
      expect(responses.some(({ status }) => status === 429)).toBe(true);
    });
  });

  describe('accounts reset-password', () => {
    it('sets the password of an account from the command line, and ends sessions', async () => {
      const email = 'by-admin@example.com';
      await fixture.admin('accounts', 'create', '--tier', 'business', '--email', email);
      const reset = async () => {
        const { out } = await fixture.admin('accounts', 'reset-password', '--email', email);
        return (JSON.parse(out) as { account: { password: string } }).account.password;
      };
      const browser = new Browser(gateway, email);
      const password = await reset();
      expect((await browser.logIn(password)).body).toMatchObject({ account: { tier: 'business' } });
      await reset();
      await waitFor(async () => (await browser.get('/account/v1/session')).status === 401, {
        message: 'the end of the session',
      });
      const missing = await fixture.admin('accounts', 'reset-password', '--email', 'nobody@example.com');
      expect([missing.code, missing.err]).toEqual([1, expect.stringMatching(/^not_found/)]);
    });
  });

  async function sql(text: string): Promise<unknown[]> {
    const client = new Client({ connectionString: fixture.database.url, options: '-c search_path=gateway' });
    await client.connect();
    const { rows } = await client.query<object>(text);
    await client.end();
    return rows;
  }
});

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAtMs = performance.now();
  await work();
  return performance.now() - startedAtMs;
}
