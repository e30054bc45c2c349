import { connect } from 'node:net';
import { waitFor } from '@plimsoll/testing';
import { Fixture, type TestKey, call, expectFiveHeaders } from './fixture';
import { sendRaw } from './raw-http';
import { ScriptedService, whole } from './scripted-service';

jest.setTimeout(60_000);

const MIB = 1_048_576;

describe('forwarding', () => {
  let fixture: Fixture;
  let gateway: string;
  let account: TestKey;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway({
      UPSTREAM_ALERTS: 'http://127.0.0.1:1',
      UPSTREAM_ANSWER_DEADLINE_MS: 4_000,
    });
    account = await fixture.account('enterprise', { perMinute: 100_000 });
  });
  afterEach(() => {
    fixture.upstream.handler = fixture.upstream.echo;
  });
  afterAll(() => fixture.stop());

  const post = (body: Buffer | AsyncIterable<Buffer>) =>
    call(gateway, '/v1/wallets', account.key, { method: 'POST', body: body as Buffer });

  async function* chunks(bytes: number): AsyncGenerator<Buffer> {
    for (let left = bytes; left > 0; left -= 65_536) yield Buffer.alloc(Math.min(left, 65_536));
  }

  it('a body of 1 MiB arrives, declared or in chunks', async () => {
    expect((await post(Buffer.alloc(MIB))).body.bodyBytes).toBe(MIB);
    expect((await post(chunks(MIB))).body.bodyBytes).toBe(MIB);
  });

  it('413 for one byte more, declared or in chunks', async () => {
    for (const answer of [await post(Buffer.alloc(MIB + 1)), await post(chunks(MIB + 1))]) {
      expect([answer.status, answer.body.code]).toEqual([413, 'body_too_large']);
      expectFiveHeaders(answer.headers, 'enterprise');
    }
  });

  it('503 upstream_unavailable when no service listens', async () => {
    const answer = await call(gateway, '/v1/alerts', account.key);
    expect([answer.status, answer.body.code]).toEqual([503, 'upstream_unavailable']);
    expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
    expectFiveHeaders(answer.headers, 'enterprise');
  });

  it('504 upstream_timeout when the service does not respond', async () => {
    fixture.upstream.handler = () => undefined;
    const answer = await call(gateway, '/v1/positions', account.key);
    expect([answer.status, answer.body.code]).toEqual([504, 'upstream_timeout']);
    expectFiveHeaders(answer.headers, 'enterprise');
  });

  it('502 upstream_failed when the service closes the connection early', async () => {
    fixture.upstream.handler = (request) => request.socket.destroy();
    const answer = await call(gateway, '/v1/positions', account.key);
    expect([answer.status, answer.body.code]).toEqual([502, 'upstream_failed']);
    expectFiveHeaders(answer.headers, 'enterprise');
  });

  it.each([
    [500, 'text/plain'],
    [404, 'text/html'],
    [401, 'application/problem+json'],
  ])('502 without its text when the service responds with %i %s', async (status, type) => {
    fixture.upstream.handler = (_, response) =>
      response.writeHead(status, { 'content-type': type }).end('{"secret":"password=hunter2"}');
    const answer = await call(gateway, '/v1/positions', account.key);
    expect([answer.status, answer.body.code]).toEqual([502, 'upstream_failed']);
    expect(JSON.stringify(answer)).not.toContain('hunter2');
  });

  describe('a service that is not Node', () => {
    let service: ScriptedService;
    let before: string;

    beforeAll(async () => {
      service = await new ScriptedService().start();
      before = await fixture.gateway({ UPSTREAM_POSITIONS: service.origin });
    });
    // Five failures in a row would open its breaker.
    afterEach(async () => {
      service.respond = (socket) => void socket.write(whole('{}'));
      expect((await get()).status).toBe(200);
    });
    afterAll(() => service.stop());

    const get = () => call(before, '/v1/positions', account.key);

    it.each([
      ['no HTTP', 'hunter2\r\n\r\n'],
      ['two lengths', whole('hunter2', 'Content-Length: 3\r\n')],
      ['a length and chunks', whole('1\r\nx\r\n0\r\n\r\nhunter2', 'Transfer-Encoding: chunked\r\n')],
      ['a header with a line feed in it', whole('hunter2', 'X-A: b\nSet-Cookie: c\r\n')],
      ['a header with a control character', whole('hunter2', 'X-A: b\x1bc\r\n')],
      ['a change of protocol', 'HTTP/1.1 101 Switching Protocols\r\nUpgrade: hunter2\r\n\r\n'],
    ])('502 without its text when it sends %s', async (_, text) => {
      service.respond = (socket) => void socket.write(text);
      const answer = await get();
      expect([answer.status, answer.body.code]).toEqual([502, 'upstream_failed']);
      expect(JSON.stringify(answer)).not.toContain('hunter2');
      expectFiveHeaders(answer.headers, 'enterprise');
    });

    it('drops its early hints, and forwards headers without blanks or with several values', async () => {
      const lines =
        'Content-Type:application/json\r\nX-Kept: a\r\nConnection: x-other\r\nX-Other: b\r\nX-Kept: c\r\n';
      service.respond = (socket) =>
        void socket.write(`HTTP/1.1 103 Early Hints\r\nX-Hint: a\r\n\r\n${whole('{}', lines)}`);
      const answer = await get();
      expect([answer.status, answer.body]).toEqual([200, {}]);
      expect(answer.headers).toMatchObject({ 'content-type': 'application/json', 'x-kept': 'a,c' });
      expect(answer.headers).not.toHaveProperty('x-hint');
      expect(answer.headers).not.toHaveProperty('x-other');
    });

    it.each([
      ['its length', whole('a whole body').slice(0, -1)],
      ['its last chunk', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\na who\r\n'],
    ])('aborts the response to the client when the body ends before %s', async (_, text) => {
      service.respond = (socket) => void socket.end(text);
      await expect(get()).rejects.toThrow();
    });
  });

  it('forwards a problem of the service, with its own headers', async () => {
    fixture.upstream.handler = (_, response) =>
      response
        .writeHead(404, {
          'content-type': 'application/problem+json',
          'x-request-id': 'other',
          'x-kept': '1',
        })
        .end('{"code":"not_found"}');
    const answer = await call(gateway, '/v1/positions/pos_1', account.key, {
      headers: { 'x-request-id': 'mine' },
    });
    expect([answer.status, answer.body.code]).toEqual([404, 'not_found']);
    expect(answer.headers).toMatchObject({ 'x-request-id': 'mine', 'x-kept': '1' });
    expectFiveHeaders(answer.headers, 'enterprise');
  });

  it('responds in order to requests that arrive together on one connection, with whole bodies and bodies in pieces', async () => {
    const whole = 'x'.repeat(1_000);
    fixture.upstream.handler = (request, response) => {
      const size = Number(new URL(request.url ?? '', 'http://a').searchParams.get('size'));
      const body = `${whole.repeat(size)}<${size}>`;
      response.writeHead(200, { 'content-length': body.length });
      // The first gets its response last.
      setTimeout(() => response.end(body), size === 1 ? 100 : 0);
    };
    const sizes = [1, 300, 0, 2];
    const requests = sizes.map((size, at) => {
      const close = at === sizes.length - 1 ? 'Connection: close\r\n' : '';
      return `GET /v1/positions?size=${size} HTTP/1.1\r\nHost: a\r\nx-api-key: ${account.key}\r\n${close}\r\n`;
    });
    const { text } = await sendRaw(gateway, requests.join(''));
    expect(text.match(/<\d+>/g)).toEqual(sizes.map((size) => `<${size}>`));
    const heads = text.split('HTTP/1.1 200 OK\r\n').slice(1);
    expect(heads).toHaveLength(sizes.length);
    heads.forEach((answer, at) => {
      const body = answer.slice(answer.indexOf('\r\n\r\n') + 4);
      expect(body).toBe(`${whole.repeat(sizes[at] ?? 0)}<${sizes[at]}>`);
      expect(answer).toMatch(
        at === sizes.length - 1 ? /\r\nConnection: close\r\n/ : /\r\nKeep-Alive: timeout=75\r\n/,
      );
      expect(answer).toMatch(/\r\nX-RateLimit-Remaining: \d+\r\n/);
    });
  });

  it('304 has the five headers', async () => {
    fixture.upstream.handler = (_, response) => response.writeHead(304, { etag: '"1"' }).end();
    const answer = await call(gateway, '/v1/positions', account.key);
    expect(answer.status).toBe(304);
    expectFiveHeaders(answer.headers, 'enterprise');
  });

  it('waits for a client that does not read, and then sends everything', async () => {
    const total = 64 * MIB;
    let sent = 0;
    fixture.upstream.handler = (_, response) => {
      response.writeHead(200, { 'content-length': total });
      const write = (): void => {
        while (sent < total) {
          sent += MIB;
          if (!response.write(Buffer.alloc(MIB))) return;
        }
        response.end();
      };
      response.on('drain', write);
      write();
    };
    const socket = connect(Number(new URL(gateway).port), '127.0.0.1');
    socket.write(
      `GET /v1/positions HTTP/1.1\r\nHost: x\r\nConnection: close\r\nx-api-key: ${account.key}\r\n\r\n`,
    );
    socket.pause();
    let before = -1;
    await waitFor(
      () => {
        const stands = sent > 0 && sent === before;
        before = sent;
        return stands;
      },
      { intervalMs: 300, message: 'the gateway pauses the service' },
    );
    expect(sent).toBeLessThan(total);
    let received = 0;
    for await (const chunk of socket) received += (chunk as Buffer).length;
    expect(received).toBeGreaterThan(total);
  });

  it('ends a response whose body stops for longer than the deadline, so that it is not taken as complete', async () => {
    const impatient = await fixture.gateway({ UPSTREAM_ANSWER_DEADLINE_MS: 300 });
    fixture.upstream.handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '9' });
      response.write('{"a":');
    };
    await expect(call(impatient, '/v1/positions', account.key)).rejects.toThrow();
  });

  it('stops the service’s work when the client disconnects', async () => {
    let isClosed = false;
    let isAsked = false;
    fixture.upstream.handler = (request) => {
      isAsked = true;
      request.socket.on('close', () => (isClosed = true));
    };
    const abort = new AbortController();
    const left = fetch(`${gateway}/v1/positions`, {
      headers: { 'x-api-key': account.key },
      signal: abort.signal,
    });
    await waitFor(() => isAsked, { message: 'the request at the service' });
    abort.abort();
    await expect(left).rejects.toThrow();
    await waitFor(() => isClosed, { timeoutMs: 3_000, message: 'the request at the service is aborted' });
  });

  it('responds to a request for a protocol that it does not support', async () => {
    const { text } = await sendRaw(
      gateway,
      `GET /v1/positions HTTP/1.1\r\nHost: x\r\nConnection: Upgrade, HTTP2-Settings\r\nUpgrade: h2c\r\nHTTP2-Settings: AA\r\nx-api-key: ${account.key}\r\n\r\n`,
    );
    expect(text).toMatch(/^HTTP\/1\.1 200 /);
    expect(text).toContain('"method":"GET"');
  });
});
