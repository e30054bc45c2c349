import type { ServerResponse } from 'node:http';
import { waitFor } from '@plimsoll/testing';
import { CALLS_PER_ACCOUNT, CALLS_PER_SERVICE } from '../src/pipeline/forwarding/calls-in-flight';
import { Fixture, type TestKey, type TestResponse, call, expectFiveHeaders } from './fixture';

jest.setTimeout(30_000);

const NO_SERVICE = 'http://127.0.0.1:1';

describe('calls in flight', () => {
  let fixture: Fixture;
  let gateway: string;
  let account: TestKey;
  const held: ServerResponse[] = [];

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway({ UPSTREAM_EXECUTION: NO_SERVICE });
  });
  beforeEach(async () => {
    account = await fixture.account('enterprise', { perMinute: 100_000 });
    fixture.upstream.handler = (_, response) => held.push(response);
  });
  afterAll(() => fixture.stop());

  const hold = async (path: string, count: number): Promise<Promise<TestResponse>[]> => {
    const before = held.length;
    const calls = Array.from({ length: count }, () => call(gateway, path, account.key));
    await waitFor(() => held.length === before + count, { message: `${count} calls are at the service` });
    return calls;
  };
  const releaseAll = (): void => {
    fixture.upstream.handler = fixture.upstream.echo;
    for (const response of held.splice(0)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    }
  };

  it('of one account at one service are bounded, and other accounts and services are not affected', async () => {
    const calls = await hold('/v1/positions', CALLS_PER_SERVICE);
    const refused = await call(gateway, '/v1/positions', account.key);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_in_flight']);
    expect(refused.headers['retry-after']).toBe('1');
    expectFiveHeaders(refused.headers, 'enterprise');
    fixture.upstream.handler = fixture.upstream.echo;
    const other = await fixture.account('pro');
    expect((await call(gateway, '/v1/positions', other.key)).status).toBe(200);
    expect((await call(gateway, '/v1/prices', account.key)).status).toBe(200);
    releaseAll();
    for (const { status } of await Promise.all(calls)) expect(status).toBe(200);
    expect((await call(gateway, '/v1/positions', account.key)).status).toBe(200);
  });

  it('of one account are bounded over all services', async () => {
    const calls = await hold('/v1/positions', CALLS_PER_SERVICE);
    calls.push(...(await hold('/v1/prices', CALLS_PER_ACCOUNT - CALLS_PER_SERVICE)));
    const refused = await call(gateway, '/v1/alerts', account.key);
    expect([refused.status, refused.body.code]).toEqual([429, 'too_many_in_flight']);
    releaseAll();
    await Promise.all(calls);
    expect((await call(gateway, '/v1/alerts', account.key)).status).toBe(200);
  });

  it('end with a client that disconnects and with a service that is unavailable', async () => {
    const left = new AbortController();
    const calls = Array.from({ length: CALLS_PER_SERVICE }, () =>
      fetch(`${gateway}/v1/positions`, { headers: { 'x-api-key': account.key }, signal: left.signal }),
    );
    await waitFor(() => held.length === CALLS_PER_SERVICE, { message: 'all calls are at the service' });
    left.abort();
    await Promise.allSettled(calls);
    held.length = 0;
    fixture.upstream.handler = fixture.upstream.echo;
    await waitFor(async () => (await call(gateway, '/v1/positions', account.key)).status === 200, {
      message: 'the calls of the client that disconnected are over',
    });
    for (let i = 0; i < CALLS_PER_SERVICE + 1; i += 1) {
      const { status } = await call(gateway, '/v1/execution/status', account.key);
      expect(status).not.toBe(429);
    }
  });
});
