import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { findFreePort } from '@plimsoll/local-parts';
import { waitFor } from '@plimsoll/testing';
import { Fixture, type TestKey, call, expectFiveHeaders } from './fixture';
import { sendRaw } from './raw-http';
import { TestUpstream } from './test-upstream';

jest.setTimeout(60_000);

describe('the instances of a service', () => {
  let fixture: Fixture;
  let account: TestKey;

  beforeAll(async () => {
    fixture = await Fixture.start();
    account = await fixture.account('enterprise', { perMinute: 100_000 });
  });
  afterEach(() => {
    fixture.upstream.handler = fixture.upstream.echo;
  });
  afterAll(() => fixture.stop());

  const absent = async (): Promise<string> => `http://127.0.0.1:${await findFreePort()}`;
  const get = (gateway: string) => call(gateway, '/v1/positions', account.key);
  const post = (gateway: string) =>
    call(gateway, '/v1/wallets', account.key, { method: 'POST', body: Buffer.from('{}') });

  it('are used in turn', async () => {
    const other = new TestUpstream();
    const origins = [fixture.origin, await other.start()];
    const gateway = await fixture.gateway({ UPSTREAM_POSITIONS: origins.join(',') });
    const hosts: unknown[] = [];
    for (let i = 0; i < 4; i += 1) hosts.push((await get(gateway)).body.headers);
    const called = hosts.map((headers) => (headers as { host: string }).host);
    expect(new Set(called).size).toBe(2);
    expect(called.slice(0, 2)).toEqual(called.slice(2));
    await other.stop();
  });

  it('are used in turn after a HEAD too, whose connection closes although its instance stays', async () => {
    const other = new TestUpstream();
    const origins = [fixture.origin, await other.start()];
    const gateway = await fixture.gateway({ UPSTREAM_POSITIONS: origins.join(',') });
    await call(gateway, '/v1/positions', account.key, { method: 'HEAD' });
    const called: unknown[] = [];
    for (let i = 0; i < 3; i += 1) called.push(((await get(gateway)).body.headers as { host: string }).host);
    expect(new Set(called).size).toBe(2);
    await other.stop();
  });

  it('sends a GET that cannot reach one instance to another, and skips the failed one for a while', async () => {
    const [dead, port] = [new TestUpstream(), await findFreePort()];
    const origins = `http://127.0.0.1:${port},${fixture.origin}`;
    const gateway = await fixture.gateway({ UPSTREAM_POSITIONS: origins });
    for (let i = 0; i < 10; i += 1) expect((await get(gateway)).status).toBe(200);
    // The failed instance is skipped by then: a POST, which is never repeated, does not reach it either.
    for (let i = 0; i < 4; i += 1) expect((await post(gateway)).status).toBe(200);
    await dead.start(port);
    await waitFor(
      async () => {
        const { headers } = (await get(gateway)).body as { headers?: { host?: string } };
        return headers?.host === `127.0.0.1:${port}`;
      },
      { message: 'a request at the restarted instance' },
    );
    await dead.stop();
  });

  it('sends a GET to a skipped instance when no other can be reached', async () => {
    const [back, other, port] = [new TestUpstream(), new TestUpstream(), await findFreePort()];
    const gateway = await fixture.gateway({
      UPSTREAM_POSITIONS: `http://127.0.0.1:${port},${await other.start()}`,
    });
    for (let i = 0; i < 4; i += 1) expect((await get(gateway)).status).toBe(200);
    // Now the first is skipped for a second. It is back before the other one ends.
    await back.start(port);
    await other.stop();
    expect((await get(gateway)).status).toBe(200);
    await back.stop();
  });

  it('responds with 503 to a POST that cannot reach its instance, without another attempt', async () => {
    const gateway = await fixture.gateway({ UPSTREAM_POSITIONS: `${await absent()},${fixture.origin}` });
    const statuses = [(await post(gateway)).status, (await post(gateway)).status];
    expect(statuses.sort()).toEqual([200, 503]);
  });

  it('repeats a GET only once, and responds with 502 if the service had received it', async () => {
    const gateway = await fixture.gateway({ UPSTREAM_POSITIONS: `${fixture.origin},${fixture.origin}` });
    let calls = 0;
    fixture.upstream.handler = (request) => {
      calls += 1;
      request.socket.destroy();
    };
    expect([(await get(gateway)).status, calls]).toEqual([502, 1]);
    const none = await fixture.gateway({ UPSTREAM_POSITIONS: `${await absent()},${await absent()}` });
    expect((await get(none)).status).toBe(503);
  });

  it('connects a WebSocket that cannot reach one instance to another', async () => {
    const gateway = await fixture.gateway({ UPSTREAM_STREAMS: `${await absent()},${fixture.origin}` });
    const handshake = [
      'GET /v1/streams/positions HTTP/1.1',
      'Host: x',
      'Connection: Upgrade',
      'Upgrade: websocket',
      'Sec-WebSocket-Version: 13',
      'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
      `x-api-key: ${account.key}`,
    ];
    for (let i = 0; i < 3; i += 1) {
      const { status } = await sendRaw(gateway, `${handshake.join('\r\n')}\r\n\r\n`, '\r\n\r\n');
      expect(status).toBe(101);
    }
  });

  it('rejects requests immediately after five failures in a row, and admits them when one succeeds', async () => {
    // Longer than the pauses of a busy machine, which delay the response too.
    const gateway = await fixture.gateway({ UPSTREAM_ANSWER_DEADLINE_MS: 750 });
    let calls = 0;
    fixture.upstream.handler = () => (calls += 1);
    for (let i = 0; i < 5; i += 1) expect((await get(gateway)).status).toBe(504);
    const refused = await get(gateway);
    expect([refused.status, refused.body.code, calls]).toEqual([503, 'upstream_unavailable', 5]);
    expectFiveHeaders(refused.headers, 'enterprise');
    // Half-open: one of these tries and fails, the others are rejected meanwhile.
    await waitFor(async () => (await get(gateway)).status === 504, { intervalMs: 20, message: 'an attempt' });
    // After a pause of the machine that is longer than the breaker's, the next request is an attempt as well.
    await waitFor(
      async () => {
        const before = calls;
        return (await get(gateway)).status === 503 && calls === before;
      },
      { intervalMs: 20, message: 'a rejection without a call' },
    );
    fixture.upstream.handler = fixture.upstream.echo;
    await waitFor(async () => (await get(gateway)).status === 200, {
      message: 'the gateway resumes the service',
    });
    expect((await get(gateway)).status).toBe(200);
    // Another service has its own breaker, although its instance is the same here.
    expect((await call(gateway, '/v1/alerts', account.key)).status).toBe(200);
  });

  it('responses of 500 do not open the breaker', async () => {
    const gateway = await fixture.gateway();
    fixture.upstream.handler = (_, response) =>
      response.writeHead(500, { 'content-type': 'application/problem+json' }).end('{}');
    for (let i = 0; i < 8; i += 1) expect((await get(gateway)).status).toBe(500);
  });

  it('clients that disconnect do not open the breaker', async () => {
    const gateway = await fixture.gateway();
    let asked = 0;
    fixture.upstream.handler = () => (asked += 1);
    for (let i = 1; i <= 8; i += 1) {
      const abort = new AbortController();
      const left = fetch(`${gateway}/v1/positions`, {
        headers: { 'x-api-key': account.key },
        signal: abort.signal,
      });
      await waitFor(() => asked === i, { message: 'the request at the service' });
      abort.abort();
      await expect(left).rejects.toThrow();
    }
    fixture.upstream.handler = fixture.upstream.echo;
    expect((await get(gateway)).status).toBe(200);
  });

  it('503 within the connect deadline when an instance accepts no connections', async () => {
    const deaf = await startDeaf();
    const gateway = await fixture.gateway({
      UPSTREAM_POSITIONS: `http://127.0.0.1:${deaf.port}`,
      UPSTREAM_CONNECT_DEADLINE_MS: 300,
    });
    const startedAtMs = performance.now();
    const received = await get(gateway);
    expect([received.status, received.body.code]).toEqual([503, 'upstream_unavailable']);
    expect(performance.now() - startedAtMs).toBeLessThan(2_000);
    deaf.stop();
  });
});

/**
 * A server that never accepts. It is stopped and its backlog is full, so that further connections wait in the
 * kernel.
 */
async function startDeaf(): Promise<{ port: number; stop: () => void }> {
  const script =
    "require('net').createServer().listen({port:0,host:'127.0.0.1',backlog:1},function(){console.log(this.address().port)})";
  const child: ChildProcess = spawn(process.execPath, ['-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(child.stdout!, 'data')) as [Buffer];
  const port = Number(String(line));
  child.kill('SIGSTOP');
  const fillers = Array.from({ length: 8 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  return {
    port,
    stop: () => {
      fillers.forEach((filler) => filler.destroy());
      child.kill('SIGKILL');
    },
  };
}
