import { type OwnPart, startOwnPostgres, startOwnRedis, waitFor } from '@plimsoll/testing';
import { Browser, outcome } from './browser';
import { Fixture } from '../fixture';

jest.setTimeout(120_000);

describe('/account/v1 while a part is down', () => {
  let redis: OwnPart;
  let postgres: OwnPart;
  let fixture: Fixture;
  let gateway: string;
  let browser: Browser;

  beforeAll(async () => {
    [redis, postgres] = await Promise.all([startOwnRedis(), startOwnPostgres()]);
    fixture = await Fixture.start(redis.url);
    gateway = await fixture.gateway({ DATABASE_URL: postgres.url, USAGE_WRITE_INTERVAL_MS: 100 });
    browser = await Browser.signedIn(gateway);
  });
  afterAll(async () => {
    await fixture.stop();
    await Promise.all([redis.dispose(), postgres.dispose()]);
  });

  it('Postgres: 503 with Retry-After, and it works again when Postgres is back', async () => {
    const { body } = await browser.post('/account/v1/keys', { name: 'mine' });
    const { key } = body.key as { key: string };
    browser.headers = { 'x-api-key': key };
    expect((await browser.get('/v1/status')).status).toBe(200);
    await postgres.kill9();
    // The key is cached: its request is admitted, and its count is written later.
    for (const path of ['/v1/usage', '/account/v1/session', '/account/v1/keys', '/account/v1/audit']) {
      const response = await browser.get(path);
      expect(outcome(response)).toEqual([503, 'upstream_unavailable']);
      expect(response.headers['retry-after']).toBe('1');
    }
    expect(outcome(await browser.logIn())).toEqual([503, 'upstream_unavailable']);
    postgres = await postgres.restart();
    await waitFor(async () => (await browser.get('/account/v1/session')).status === 200, {
      timeoutMs: 30_000,
      message: 'the session again',
    });
    await waitFor(async () => (await browser.get('/account/v1/usage')).body.calls === 2, {
      message: 'the earlier requests and the one in between',
    });
  });

  it('Redis: log-ins continue, and this process counts the guesses', async () => {
    await redis.kill9();
    expect((await new Browser(gateway).signUp()).status).toBe(201);
    const guesser = new Browser(gateway, 'guessed@example.com');
    const guesses = await Promise.all(Array.from({ length: 45 }, () => guesser.logIn('a guess')));
    expect(guesses.some(({ status }) => status === 429)).toBe(true);
    const { status } = await browser.post('/account/v1/log-out');
    expect(status).toBe(200);
  });
});
