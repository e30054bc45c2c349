import Redis from 'ioredis';
import { Fixture, type TestKey, call, expectFiveHeaders, randomAddress } from './fixture';

jest.setTimeout(60_000);

describe('limits', () => {
  let fixture: Fixture;
  let gateways: [string, string];

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateways = [await fixture.gateway(), await fixture.gateway()];
  });
  afterAll(() => fixture.stop());

  const callBoth = (count: number, key: string) =>
    Promise.all(Array.from({ length: count }, (_, i) => call(gateways[i % 2] ?? '', '/v1/positions', key)));

  it('admit exactly N of 3 N simultaneous requests over two gateways, each with its own Remaining', async () => {
    const { key } = await fixture.account('pro');
    const responses = await callBoth(180, key);
    const admitted = responses.filter(({ status }) => status === 200);
    const refused = responses.filter(({ status }) => status === 429);
    expect([admitted.length, refused.length]).toEqual([60, 120]);
    const remaining = admitted.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
    expect(new Set(responses.map(({ headers }) => headers['x-ratelimit-reset'])).size).toBe(1);
  });

  it('429 with Retry-After, the five headers and a problem body', async () => {
    const { key } = await fixture.account('open');
    const response = (await callBoth(11, key)).find(({ status }) => status === 429);
    expect(response?.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expectFiveHeaders(response?.headers ?? {}, 'open');
    const resetInMs = Date.parse(response?.headers['x-ratelimit-reset'] ?? '') - Date.now();
    const retryAfter = Number(response?.headers['retry-after']);
    expect(response?.headers['x-ratelimit-remaining']).toBe('0');
    expect(resetInMs).toBeGreaterThan(0);
    expect(retryAfter * 1_000).toBeGreaterThanOrEqual(resetInMs);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it('are shared by all keys of an account', async () => {
    const { accountId, key } = await fixture.account('pro');
    const other = await fixture.key(accountId);
    await call(gateways[0], '/v1/positions', key);
    const response = await call(gateways[1], '/v1/positions', other.key);
    expect(response.headers['x-ratelimit-remaining']).toBe('58');
  });

  it('count every response to a valid key except 429', async () => {
    const { key } = await fixture.account('open');
    const targets = ['/v1/nothing', '/v1/alerts', '/v1/status', '/v1/positions'];
    const remaining: (string | undefined)[] = [];
    for (const target of targets) {
      remaining.push((await call(gateways[0], target, key)).headers['x-ratelimit-remaining']);
    }
    expect(remaining).toEqual(['9', '8', '7', '6']);
    const responses = await callBoth(20, key);
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(responses.at(-1)?.headers['x-dailylimit-remaining']).toBe('990');
  });

  it('admit the full N again at Reset', async () => {
    const { key, accountId } = await fixture.account('open');
    await callBoth(11, key);
    const redis = new Redis(fixture.redis.url);
    const [seconds, micros] = await redis.time();
    const nowMs = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
    // The stored window is moved into the past, which equals the state at Reset, without a wait of a minute.
    await redis.hset(`${fixture.redis.keyPrefix}limit:account:${accountId}`, 'w', String(nowMs - 1));
    await redis.quit();
    const fresh = await fixture.gateway();
    const responses = await Promise.all(Array.from({ length: 12 }, () => call(fresh, '/v1/positions', key)));
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('429 daily_limit_exceeded until the next UTC midnight', async () => {
    const { key, accountId } = await fixture.account('open');
    await fixture.useUpDay(accountId, 999);
    const last = await call(gateways[0], '/v1/positions', key);
    expect([last.status, last.headers['x-dailylimit-remaining']]).toEqual([200, '0']);
    const response = await call(gateways[1], '/v1/positions', key);
    expect([response.status, response.body.code]).toEqual([429, 'daily_limit_exceeded']);
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    expect(response.headers['x-ratelimit-reset']).toBe(midnight.toISOString());
    expect(Number(response.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('count requests without a valid key on the client address, and do not affect valid keys', async () => {
    const { key } = await fixture.account('open');
    const headers = { 'x-forwarded-for': randomAddress() };
    const responses = [];
    for (let i = 0; i < 11; i += 1) {
      responses.push(
        await call(gateways[i % 2] ?? '', '/v1/positions', i % 3 === 0 ? 'wrong' : undefined, { headers }),
      );
    }
    expect(responses.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429]);
    expectFiveHeaders(responses[10]?.headers ?? {}, 'open');
    expect((await call(gateways[0], '/v1/positions', key, { headers })).status).toBe(200);
    expect((await call(gateways[0], '/v1/positions')).status).toBe(401);
  });

  it('a raised tier applies immediately, also for a limited account', async () => {
    const { key, accountId } = await fixture.account('open');
    expect((await callBoth(12, key)).some(({ status }) => status === 429)).toBe(true);
    await fixture.admin('accounts', 'set-tier', '--id', accountId, '--tier', 'pro');
    await expect(statusSoon(key)).resolves.toBe(200);
  });

  async function statusSoon(key: TestKey['key']): Promise<number> {
    const deadline = Date.now() + 1_000;
    for (;;) {
      const { status } = await call(gateways[1], '/v1/alerts', key);
      if (status === 200 || Date.now() > deadline) return status;
    }
  }
});
