import type { ServerResponse } from 'node:http';
import { Fixture, type TestKey, expectFiveHeaders } from './fixture';
import { type RawResponse, sendRaw } from './raw-http';

jest.setTimeout(60_000);

const MIB = 1_048_576;
const HANDSHAKE = [
  'Upgrade: websocket',
  'Sec-WebSocket-Version: 13',
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
];
const SECURITY = {
  'strict-transport-security': 'max-age=31536000',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'",
};

const problem = (status: number) => (response: ServerResponse) =>
  response.writeHead(status, { 'content-type': 'application/problem+json' }).end('{}');

interface Row {
  status: number;
  line?: string;
  lines?: string[];
  /** The response of the service. */
  service?: (response: ServerResponse) => unknown;
  key?: 'open' | 'pro' | 'used up' | 'day used up' | 'wrong' | 'none';
}

const ROWS: Record<string, Row> = {
  'an answer': { status: 200 },
  'the gateway’s own': { status: 200, line: 'GET /v1/status' },
  'a HEAD': { status: 200, line: 'HEAD /v1/status' },
  'an upgrade': {
    status: 101,
    line: 'GET /v1/streams/positions',
    lines: [...HANDSHAKE, 'Connection: Upgrade'],
  },
  'not modified': { status: 304, service: (response) => response.writeHead(304, { etag: '"1"' }).end() },
  'not HTTP': { status: 400, line: 'nothing' },
  'two hosts': { status: 400, lines: ['Host: y'] },
  'a stream without upgrade': { status: 400, line: 'GET /v1/streams/positions' },
  'a service’s 400': { status: 400, service: problem(400) },
  'no key': { status: 401, key: 'none' },
  'a wrong key': { status: 401, key: 'wrong' },
  'a wrong key at an upgrade': {
    status: 401,
    key: 'wrong',
    line: 'GET /v1/streams/positions',
    lines: [...HANDSHAKE, 'Connection: Upgrade'],
  },
  'a tier too low': { status: 403, key: 'open', line: 'GET /v1/webhooks' },
  'no such route': { status: 404, line: 'GET /v1/nothing' },
  'a service’s 404': { status: 404, service: problem(404) },
  'another method': { status: 405, line: 'PUT /v1/positions' },
  'a service’s 409': { status: 409, service: problem(409) },
  'too large': { status: 413, line: 'POST /v1/wallets', lines: [`Content-Length: ${MIB + 1}`] },
  'a service’s 415': { status: 415, service: problem(415) },
  'the minute used up': { status: 429, key: 'used up' },
  'the minute used up at an upgrade': {
    status: 429,
    key: 'used up',
    line: 'GET /v1/streams/positions',
    lines: [...HANDSHAKE, 'Connection: Upgrade'],
  },
  'the day used up': { status: 429, key: 'day used up' },
  'a service’s 500': { status: 500, service: problem(500) },
  'a service that breaks off': { status: 502, service: (response) => response.destroy() },
  'a service that is not there': { status: 503, line: 'GET /v1/alerts' },
  'a service’s 503': { status: 503, service: problem(503) },
  'a service that does not answer': { status: 504, service: () => undefined },
};

describe('every response', () => {
  let fixture: Fixture;
  let gateway: string;
  const keys: Record<string, TestKey> = {};

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway({
      UPSTREAM_ALERTS: 'http://127.0.0.1:1',
      UPSTREAM_ANSWER_DEADLINE_MS: 300,
    });
    keys['enterprise'] = await fixture.account('enterprise', { perMinute: 100_000 });
    keys['open'] = await fixture.account('open');
    keys['used up'] = await fixture.account('open');
    keys['day used up'] = await fixture.account('pro');
    await fixture.useUpDay(keys['day used up'].accountId, 100_000);
    for (let i = 0; i < 10; i += 1) await ask({ status: 200, key: 'used up' });
  });
  afterAll(() => fixture.stop());

  function ask({
    line = 'GET /v1/positions',
    lines = [],
    service,
    key = 'enterprise' as never,
  }: Row): Promise<RawResponse> {
    fixture.upstream.handler = (request, response) =>
      service ? service(response) : fixture.upstream.echo(request, response);
    const presented = key === 'none' ? [] : [`x-api-key: ${keys[key]?.key ?? 'wrong'}`];
    const isUpgrade = lines.includes('Connection: Upgrade');
    const all = [
      `${line} HTTP/1.1`,
      'Host: x',
      ...lines,
      ...presented,
      ...(isUpgrade ? [] : ['Connection: close']),
    ];
    return sendRaw(gateway, `${all.join('\r\n')}\r\n\r\n`, isUpgrade ? '\r\n\r\n' : undefined);
  }

  describe.each(Object.entries(ROWS))('%s', (_, row) => {
    let received: RawResponse;
    beforeAll(async () => {
      received = await ask(row);
    });

    it(`${row.status} with the five headers, once each`, () => {
      expect(received.status).toBe(row.status);
      const { headers } = received;
      expectFiveHeaders(headers, headers['x-service-tier'] as 'open');
      const [head = ''] = received.text.split('\r\n\r\n');
      const names = head.split('\r\n').map((line) => line.split(':')[0]?.toLowerCase());
      expect(names.filter((name, at) => names.indexOf(name) !== at)).toEqual([]);
    });

    it('with consistent RateLimit fields', () => {
      const { headers } = received;
      const { 'x-ratelimit-limit': limit, 'x-ratelimit-remaining': remaining } = headers;
      const daily = headers['x-dailylimit-limit'];
      expect(headers['ratelimit-policy']).toBe(
        `"minute";q=${limit};w=60${daily ? `, "day";q=${daily};w=86400` : ''}`,
      );
      const day = daily ? String.raw`"day";r=${headers['x-dailylimit-remaining']};t=\d+` : '';
      const minute = String.raw`"minute";r=${remaining};t=\d+`;
      const both = row.key === 'day used up' ? day : [minute, day].filter(Boolean).join(', ');
      expect(headers['ratelimit']).toMatch(new RegExp(`^${both}$`));
    });

    it('with the headers that protect browsers and caches', () => {
      expect(received.headers).toMatchObject(SECURITY);
      if (row.status === 101) return;
      const kept = received.headers.etag ? 'private, no-cache' : 'no-store';
      expect(received.headers['cache-control']).toBe(kept);
    });

    if (row.status === 429 || row.status === 503) {
      it('with Retry-After', () => {
        expect(received.headers['retry-after']).toMatch(/^[1-9]\d*$/);
      });
    }
    if (row.status >= 400) {
      it('with a problem body', () => {
        expect(received.headers['content-type']).toBe('application/problem+json');
      });
    }
  });
});
