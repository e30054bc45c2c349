import { createHash } from 'node:crypto';
import { connectRedis } from '@plimsoll/service-kit';
import { type OwnPart, startOwnRedis, waitFor } from '@plimsoll/testing';
import Redis from 'ioredis';
import { RedisLimiter } from '../src/limits/redis-limiter';
import { TAKE_LUA } from '../src/limits/take.lua';
import { Fixture, type TestResponse, type TestKey, call, expectFiveHeaders } from './fixture';

jest.setTimeout(120_000);

describe('while Redis is unavailable', () => {
  let redis: OwnPart;
  let fixture: Fixture;
  let gateway: string;
  let operations: string;
  let account: TestKey;

  beforeAll(async () => {
    redis = await startOwnRedis();
    fixture = await Fixture.start(redis.url);
    gateway = await fixture.gateway({ GATEWAY_INSTANCES: 4 });
    operations = fixture.operations.get(gateway)!;
    account = await fixture.account('pro');
  });
  afterAll(async () => {
    await fixture.stop();
    await redis.dispose();
  });

  const calls = (count: number): Promise<TestResponse[]> =>
    Promise.all(Array.from({ length: count }, () => call(gateway, '/v1/positions', account.key)));

  it('Redis has the script before the first request', async () => {
    const client = new Redis(redis.url);
    const sha = createHash('sha1').update(TAKE_LUA).digest('hex');
    expect(await client.script('EXISTS', sha)).toEqual([1]);
    client.disconnect();
  });

  it('a killed Redis: each gateway admits a share of the limit, no request fails with 500, and the gateway stays ready', async () => {
    // The account counted below has made no call: a slow machine may count calls before the loss by itself too.
    const other = await fixture.account('pro');
    await waitFor(
      async () => {
        await call(gateway, '/v1/positions', other.key);
        return (await metric('gateway_limits_by_redis')) === 1;
      },
      { timeoutMs: 20_000, message: 'limits counted in Redis' },
    );
    await redis.kill9();
    const responses = await calls(40);
    const statuses = responses.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(15);
    expect(statuses.every((status) => status === 200 || status === 429)).toBe(true);
    responses.forEach(({ headers }) => expectFiveHeaders(headers, 'pro'));
    const { status, body } = await call(operations, '/health/ready');
    expect([status, body.status]).toEqual([200, 'degraded']);
    expect(body.checks).toMatchObject({ postgres: 'ok' });
    expect(body.checks).not.toMatchObject({ redis: 'ok' });
    expect(await metric('gateway_limits_by_redis')).toBe(0);
  });

  it('rejects a revoked key', async () => {
    const second = await fixture.key(account.accountId);
    expect((await call(gateway, '/v1/status', second.key)).status).not.toBe(401);
    const { code, err } = await fixture.admin('keys', 'revoke', '--id', second.keyId);
    expect([code, err]).toEqual([0, expect.stringContaining('Redis is unavailable')]);
    await waitFor(async () => (await call(gateway, '/v1/status', second.key)).status === 401, {
      timeoutMs: 10_000,
      message: '401 for the revoked key',
    });
  });

  it('counts in Redis again when it is back', async () => {
    redis = await redis.restart();
    await waitFor(
      async () => {
        await calls(1);
        return (await metric('gateway_limits_by_redis')) === 1;
      },
      { timeoutMs: 20_000, message: 'limits counted in Redis' },
    );
    const other = await fixture.account('open');
    const responses = await Promise.all(
      Array.from({ length: 12 }, () => call(gateway, '/v1/positions', other.key)),
    );
    expect(responses.filter(({ status }) => status === 200)).toHaveLength(10);
  });

  it('a pause of the gateway’s own process does not count as time of Redis', async () => {
    const client = connectRedis(redis.url, 'test');
    await client.connect();
    const limiter = new RedisLimiter(client, 'paused:', 50);
    await limiter.load();
    const figures = { perMinute: 10, perDay: null };
    process.kill(redis.pid, 'SIGSTOP');
    const verdict = new Promise((resolve) =>
      limiter.take({ id: 'account:paused', offsetMs: 0 }, figures, resolve),
    );
    // After the turn in which the limiter sends. Both processes pause, as on a machine with too much work.
    setImmediate(() => {
      const endMs = performance.now() + 200;
      while (performance.now() < endMs);
      setTimeout(() => process.kill(redis.pid, 'SIGCONT'), 10);
    });
    try {
      expect(await verdict).toMatchObject({ admitted: true, remaining: 9 });
    } finally {
      client.disconnect();
    }
  });

  it('a Redis that hangs delays no response by more than its deadline, and only a few responses', async () => {
    process.kill(redis.pid, 'SIGSTOP');
    try {
      const slowest: number[] = [];
      for (let i = 0; i < 10; i += 1) {
        const startedAt = performance.now();
        const { status } = await call(gateway, '/v1/status', account.key);
        slowest.push(performance.now() - startedAt);
        expect([200, 429]).toContain(status);
      }
      slowest.sort((a, b) => a - b);
      expect(slowest[5]).toBeLessThan(50);
      expect(slowest[9]).toBeLessThan(1_000);
    } finally {
      process.kill(redis.pid, 'SIGCONT');
    }
  });

  it('a gateway starts without Redis', async () => {
    await redis.kill9();
    const other = await fixture.gateway();
    expect((await call(other, '/v1/status')).status).toBe(401);
  });

  async function metric(name: string): Promise<number> {
    const response = await fetch(`${operations}/metrics`);
    return Number(new RegExp(`^${name} (\\S+)$`, 'm').exec(await response.text())?.[1]);
  }
});
