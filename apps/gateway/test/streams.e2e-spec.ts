import { randomBytes } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { waitFor } from '@plimsoll/testing';
import { WebSocket } from 'ws';
import { Fixture, type TestKey, expectFiveHeaders, randomAddress } from './fixture';

jest.setTimeout(60_000);

interface Handshake {
  status: number;
  headers: Record<string, string>;
  body: string;
  client: WebSocket;
  messages: Buffer[];
}

describe('streams', () => {
  let fixture: Fixture;
  let gateway: string;
  let account: TestKey;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway({
      UPSTREAM_CONNECT_DEADLINE_MS: 2_000,
      UPSTREAM_ANSWER_DEADLINE_MS: 2_000,
    });
    account = await fixture.account('enterprise', { perMinute: 100_000 });
  });
  afterEach(() => {
    delete fixture.upstream.onUpgrade;
  });
  afterAll(() => fixture.stop());

  function shake(target: string, key?: string, headers: Record<string, string> = {}): Promise<Handshake> {
    const client = new WebSocket(`${gateway.replace('http', 'ws')}${target}`, {
      headers: { 'x-forwarded-for': randomAddress(), ...(key && { 'x-api-key': key }), ...headers },
    });
    client.on('error', () => undefined);
    const messages: Buffer[] = [];
    client.on('message', (data: Buffer) => messages.push(data));
    return new Promise((resolve) => {
      const settle = async (response: IncomingMessage): Promise<void> => {
        let body = '';
        if (response.statusCode !== 101) for await (const chunk of response) body += String(chunk);
        const all = Object.entries(response.headers).map(([name, value]) => [name, String(value)]);
        resolve({
          status: response.statusCode ?? 0,
          headers: Object.fromEntries(all),
          body,
          client,
          messages,
        });
      };
      client.on('upgrade', (response) => void settle(response));
      client.on('unexpected-response', (_, response) => void settle(response));
    });
  }

  it('101 with the five headers, then frames both ways, as the signed account', async () => {
    const { status, headers, client, messages } = await shake('/v1/streams/positions', account.key, {
      'x-plimsoll-identity': 'forged',
    });
    expect(status).toBe(101);
    expectFiveHeaders(headers, 'enterprise');
    expect(fixture.upstream.lastUpgrade?.identity?.accountId).toBe(account.accountId);
    expect(fixture.upstream.lastUpgrade?.headers).not.toHaveProperty('x-api-key');
    const large = randomBytes(3_000_000);
    await waitFor(() => client.readyState === WebSocket.OPEN, { message: 'an open socket' });
    client.send(large);
    await waitFor(() => messages.length === 2, { message: 'the welcome and the echo' });
    expect(messages[0]?.toString()).toBe('welcome');
    expect(messages[1]?.equals(large)).toBe(true);
    client.close(1000);
    await waitFor(() => fixture.upstream.sockets.clients.size === 0, {
      message: 'the service’s socket closed',
    });
  });

  it("closes the client's connection when the service closes its own", async () => {
    const { client } = await shake('/v1/streams/alerts', account.key);
    const closed = new Promise<number>((resolve) => client.on('close', resolve));
    for (const socket of fixture.upstream.sockets.clients) socket.close(4001, 'draining');
    expect(await closed).toBe(4001);
  });

  it.each([
    ['no key', undefined, '/v1/streams/positions', 401, 'missing_api_key'],
    ['a wrong key', 'wrong', '/v1/streams/positions', 401, 'invalid_api_key'],
  ])('401 before the upgrade with %s', async (_, key, target, status, code) => {
    const response = await shake(target, key);
    expect([response.status, (JSON.parse(response.body) as { code: string }).code]).toEqual([status, code]);
    expectFiveHeaders(response.headers, 'open');
  });

  it('passes an upgrade with a ticket to the service, without an identity, and counts it on the address', async () => {
    const { status, headers } = await shake('/v1/streams/alerts?ticket=tkt_1', undefined, {
      'x-plimsoll-identity': 'forged',
    });
    expect(status).toBe(101);
    expectFiveHeaders(headers, 'open');
    expect(headers['x-ratelimit-remaining']).toBe('9');
    expect(fixture.upstream.lastUpgrade?.headers).not.toHaveProperty('x-plimsoll-identity');
  });

  it("forwards the service's rejection of a ticket", async () => {
    fixture.upstream.onUpgrade = (socket) => {
      const body = JSON.stringify({ code: 'invalid_api_key' });
      socket.end(
        `HTTP/1.1 401 Unauthorized\r\ncontent-type: application/problem+json\r\ncontent-length: ${body.length}\r\nconnection: close\r\n\r\n${body}`,
      );
    };
    const response = await shake('/v1/streams/alerts?ticket=tkt_1');
    expect([response.status, JSON.parse(response.body)]).toMatchObject([401, { code: 'invalid_api_key' }]);
  });

  it('401 for a ticket anywhere but on a stream', async () => {
    const response = await shake('/v1/positions?ticket=tkt_1');
    expect([response.status, JSON.parse(response.body)]).toMatchObject([401, { code: 'missing_api_key' }]);
  });

  it('accepts the slash that stock clients of Socket.IO append to the path', async () => {
    const target = '/v1/streams/positions/?EIO=4&transport=websocket';
    expect((await shake(target, account.key)).status).toBe(101);
    expect((await shake('/v1/streams/positions/', account.key)).status).toBe(404);
  });

  it('403 below the tier, and without the scope', async () => {
    const business = await fixture.account('business');
    const below = await shake('/v1/streams/positions', business.key);
    expect([below.status, JSON.parse(below.body)]).toMatchObject([403, { code: 'tier_required' }]);
    expectFiveHeaders(below.headers, 'business');
    const { key } = await fixture.key(account.accountId, ['positions:read']);
    const without = await shake('/v1/streams/alerts', key);
    expect([without.status, JSON.parse(without.body)]).toMatchObject([403, { code: 'scope_required' }]);
  });

  it('404 for a stream that does not exist', async () => {
    const response = await shake('/v1/streams/nothing', account.key);
    expect([response.status, JSON.parse(response.body)]).toMatchObject([404, { code: 'route_not_found' }]);
    expectFiveHeaders(response.headers, 'enterprise');
  });

  it('429 with Retry-After at the limit', async () => {
    const { key } = await fixture.account('enterprise', { perMinute: 1 });
    const first = await shake('/v1/streams/positions', key);
    expect(first.status).toBe(101);
    first.client.terminate();
    const second = await shake('/v1/streams/positions', key);
    expect([second.status, JSON.parse(second.body)]).toMatchObject([429, { code: 'rate_limited' }]);
    expect(Number(second.headers['retry-after'])).toBeGreaterThan(0);
    expectFiveHeaders(second.headers, 'enterprise');
  });

  it('504 when the service does not respond to the handshake', async () => {
    fixture.upstream.onUpgrade = () => undefined;
    const response = await shake('/v1/streams/positions', account.key);
    expect([response.status, JSON.parse(response.body)]).toMatchObject([504, { code: 'upstream_timeout' }]);
    expectFiveHeaders(response.headers, 'enterprise');
  });

  it('502 without its text when the service rejects the handshake', async () => {
    fixture.upstream.onUpgrade = (socket) =>
      socket.end('HTTP/1.1 500 No\r\nContent-Length: 7\r\n\r\nhunter2');
    const response = await shake('/v1/streams/positions', account.key);
    expect([response.status, JSON.parse(response.body)]).toMatchObject([502, { code: 'upstream_failed' }]);
    expect(response.body).not.toContain('hunter2');
  });

  it('503 when no service listens', async () => {
    const other = await fixture.gateway({ UPSTREAM_STREAMS: 'http://127.0.0.1:1' });
    const before = gateway;
    gateway = other;
    const response = await shake('/v1/streams/positions', account.key);
    gateway = before;
    expect([response.status, JSON.parse(response.body)]).toMatchObject([
      503,
      { code: 'upstream_unavailable' },
    ]);
    expectFiveHeaders(response.headers, 'enterprise');
  });
});
