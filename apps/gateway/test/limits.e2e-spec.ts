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

  it('admit exactly N of 3 N calls at once over two gateways, each with its own Remaining', async () => {
    const { key } = await fixture.account('pro');
    const answers = await callBoth(180, key);
    const admitted = answers.filter(({ status }) => status === 200);
    const refused = answers.filter(({ status }) => status === 429);
    expect([admitted.length, refused.length]).toEqual([60, 120]);
    const remaining = admitted.map(({ headers }) => Number(headers['x-ratelimit-remaining']));
    expect(remaining.sort((a, b) => b - a)).toEqual(Array.from({ length: 60 }, (_, i) => 59 - i));
    expect(new Set(answers.map(({ headers }) => headers['x-ratelimit-reset'])).size).toBe(1);
  });

  it('429 with Retry-After, the five headers and a problem body', async () => {
    const { key } = await fixture.account('open');
    const answer = (await callBoth(11, key)).find(({ status }) => status === 429);
    expect(answer?.body).toMatchObject({ code: 'rate_limited', status: 429 });
    expectFiveHeaders(answer?.headers ?? {}, 'open');
    const resetInMs = Date.parse(answer?.headers['x-ratelimit-reset'] ?? '') - Date.now();
    const retryAfter = Number(answer?.headers['retry-after']);
    expect(answer?.headers['x-ratelimit-remaining']).toBe('0');
    expect(resetInMs).toBeGreaterThan(0);
    expect(retryAfter * 1_000).toBeGreaterThanOrEqual(resetInMs);
    expect(retryAfter).toBeLessThanOrEqual(60);
  });

  it('are one for all keys of an account', async () => {
    const { accountId, key } = await fixture.account('pro');
    const other = await fixture.key(accountId);
    await call(gateways[0], '/v1/positions', key);
    const answer = await call(gateways[1], '/v1/positions', other.key);
    expect(answer.headers['x-ratelimit-remaining']).toBe('58');
  });

  it('count every answer to a valid key but a 429', async () => {
    const { key } = await fixture.account('open');
    const targets = ['/v1/nothing', '/v1/alerts', '/v1/status', '/v1/positions'];
    const remaining: (string | undefined)[] = [];
    for (const target of targets) {
      remaining.push((await call(gateways[0], target, key)).headers['x-ratelimit-remaining']);
    }
    expect(remaining).toEqual(['9', '8', '7', '6']);
    const answers = await callBoth(20, key);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(6);
    expect(answers.at(-1)?.headers['x-dailylimit-remaining']).toBe('990');
  });

  it('give the full N again at Reset', async () => {
    const { key, accountId } = await fixture.account('open');
    await callBoth(11, key);
    const redis = new Redis(fixture.redis.url);
    const [seconds, micros] = await redis.time();
    const nowMs = Number(seconds) * 1_000 + Math.floor(Number(micros) / 1_000);
    // The stored window is moved into the past: what a caller meets at Reset, without waiting a minute for it.
    await redis.hset(`${fixture.redis.keyPrefix}limit:account:${accountId}`, 'w', String(nowMs - 1));
    await redis.quit();
    const fresh = await fixture.gateway();
    const answers = await Promise.all(Array.from({ length: 12 }, () => call(fresh, '/v1/positions', key)));
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('429 daily_limit_exceeded until the next UTC midnight', async () => {
    const { key, accountId } = await fixture.account('open');
    await fixture.useUpDay(accountId, 999);
    const last = await call(gateways[0], '/v1/positions', key);
    expect([last.status, last.headers['x-dailylimit-remaining']]).toEqual([200, '0']);
    const answer = await call(gateways[1], '/v1/positions', key);
    expect([answer.status, answer.body.code]).toEqual([429, 'daily_limit_exceeded']);
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    expect(answer.headers['x-ratelimit-reset']).toBe(midnight.toISOString());
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });

  it('count calls without a valid key on the client address, and leave valid keys alone', async () => {
    const { key } = await fixture.account('open');
    const headers = { 'x-forwarded-for': randomAddress() };
    const answers = [];
    for (let i = 0; i < 11; i += 1) {
      answers.push(
        await call(gateways[i % 2] ?? '', '/v1/positions', i % 3 === 0 ? 'wrong' : undefined, { headers }),
      );
    }
    expect(answers.map(({ status }) => status)).toEqual([...Array<number>(10).fill(401), 429]);
    expectFiveHeaders(answers[10]?.headers ?? {}, 'open');
    expect((await call(gateways[0], '/v1/positions', key, { headers })).status).toBe(200);
    expect((await call(gateways[0], '/v1/positions')).status).toBe(401);
  });

  it('a raised tier counts at once, also for an account that was refused', async () => {
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
