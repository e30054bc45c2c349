import { Fixture, type TestKey, call, expectFiveHeaders } from './fixture';
import { type RawResponse, sendAndLeave, sendRaw } from './raw-http';

jest.setTimeout(60_000);

const MIB = 1_048_576;
/** A placeholder for the key until it is known. */
const THE_KEY = '<key>';

describe('bad input', () => {
  let fixture: Fixture;
  let gateway: string;
  let account: TestKey;
  /** Method and target of each request that reached the service. */
  const forwarded: string[] = [];

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway();
    account = await fixture.account('enterprise', { perMinute: 100_000 });
    fixture.upstream.handler = (request, response) => {
      forwarded.push(`${request.method} ${request.url}`);
      fixture.upstream.echo(request, response);
    };
  });
  beforeEach(() => {
    forwarded.length = 0;
  });
  afterEach(async () => {
    expect((await call(gateway, '/v1/status', account.key)).status).toBe(200);
  });
  afterAll(() => fixture.stop());

  const send = (bytes: string, until?: string): Promise<RawResponse> =>
    sendRaw(gateway, bytes.replaceAll(THE_KEY, account.key), until);

  /** A request with these lines, this body and the key. The lines include `Host` if it is needed. */
  const request = (lines: readonly string[], body = ''): string =>
    `${[...lines, `x-api-key: ${THE_KEY}`, 'Connection: close'].join('\r\n')}\r\n\r\n${body}`;

  const POST = 'POST /v1/wallets HTTP/1.1';
  const GET = 'GET /v1/positions HTTP/1.1';
  const SMUGGLED = 'DELETE /v1/wallets/0xabc HTTP/1.1\r\nHost: x\r\n\r\n';
  const CHUNKED = `5\r\nhello\r\n0\r\n\r\n${SMUGGLED}`;

  it.each([
    ['no HTTP at all', 'hello\r\n\r\n'],
    ['an unknown method', request(['BREW /v1/status HTTP/1.1', 'Host: x'])],
    ['CONNECT', request(['CONNECT example.com:443 HTTP/1.1', 'Host: example.com'])],
    ['an unknown version', request(['GET /v1/status HTTP/7.0', 'Host: x'])],
    ['no Host', request([GET])],
    ['Host twice', request([GET, 'Host: x', 'Host: y'])],
    ['a header line without a colon', request([GET, 'Host: x', 'what is this'])],
    ['a NUL in a header', request([GET, 'Host: x', 'x-a: b\0c'])],
    ['an escape in a header', request([GET, 'Host: x', 'x-a: b\x1bc'])],
    ['a DEL in a header', request([GET, 'Host: x', 'x-a: b\x7fc'])],
    ['a tab in the target', request(['GET /v1/positions?a\tb HTTP/1.1', 'Host: x'])],
    ['a form feed in the target', request(['GET /v1/positions?a\fb HTTP/1.1', 'Host: x'])],
    ['a bare line feed behind the target', request([`${GET}\nx-a: b`, 'Host: x'])],
    ['a bare CR in a header', request([GET, 'Host: x', 'x-a: b\rc: d'])],
    [
      'Content-Length twice, alike',
      request([POST, 'Host: x', 'Content-Length: 3', 'Content-Length: 3'], 'abc'),
    ],
    [
      'Content-Length twice',
      request([POST, 'Host: x', 'Content-Length: 3', 'Content-Length: 30'], `abc${SMUGGLED}`),
    ],
    [
      'a Content-Length that is a list',
      request([POST, 'Host: x', 'Content-Length: 3, 30'], `abc${SMUGGLED}`),
    ],
    ['a negative Content-Length', request([POST, 'Host: x', 'Content-Length: -1'], SMUGGLED)],
    ['CL.TE', request([POST, 'Host: x', 'Content-Length: 5', 'Transfer-Encoding: chunked'], CHUNKED)],
    ['TE.CL', request([POST, 'Host: x', 'Transfer-Encoding: chunked', 'Content-Length: 5'], CHUNKED)],
    ['TE.TE', request([POST, 'Host: x', 'Transfer-Encoding: chunked', 'Transfer-Encoding: x'], CHUNKED)],
    [
      'an encoding before chunked',
      request([POST, 'Host: x', 'Transfer-Encoding: gzip, chunked'], '0\r\n\r\n'),
    ],
    ['a fragment in the target', request(['GET /v1/positions#x HTTP/1.1', 'Host: x'])],
    ['a fragment in a query', request(['GET /v1/positions?a=1#x HTTP/1.1', 'Host: x'])],
    ['a fragment outside of /v1', request(['GET /account/v1/session#x HTTP/1.1', 'Host: x'])],
    [
      'an encoding outside of /v1',
      request(
        ['POST /account/v1/log-in HTTP/1.1', 'Host: x', 'Transfer-Encoding: gzip, chunked'],
        '0\r\n\r\n',
      ),
    ],
    ['chunked in disguise', request([POST, 'Host: x', 'Transfer-Encoding: xchunked'], CHUNKED)],
    ['chunked, and not last', request([POST, 'Host: x', 'Transfer-Encoding: chunked, identity'], CHUNKED)],
    ['a space before the colon', request([POST, 'Host: x', 'Transfer-Encoding : chunked'], CHUNKED)],
    [
      'a folded header',
      request([POST, 'Host: x', 'Transfer-Encoding:', ' chunked', 'Content-Length: 5'], CHUNKED),
    ],
    [
      'a chunk size that is no number',
      request([POST, 'Host: x', 'Transfer-Encoding: chunked'], `zz\r\n${SMUGGLED}`),
    ],
    [
      'a chunk longer than its size',
      request([POST, 'Host: x', 'Transfer-Encoding: chunked'], `1\r\nhello\r\n${SMUGGLED}`),
    ],
    ['headers of 20 KiB', request([GET, 'Host: x', `x-filler: ${'a'.repeat(20_000)}`])],
    ['101 headers', request([GET, 'Host: x', ...Array<string>(98).fill('x-a: b')])],
    ['3,000 headers', request([GET, 'Host: x', ...Array<string>(3_000).fill('a:')])],
  ])('%s: 400 invalid_request, the connection closed, nothing forwarded', async (_, bytes) => {
    const received = await send(bytes);
    expect([received.status, codeOf(received.body)]).toEqual([400, 'invalid_request']);
    expect(received.headers.connection).toBe('close');
    expect(received.text.match(/HTTP\/1\.1 \d/g)).toHaveLength(1);
    expectFiveHeaders(
      received.headers,
      received.headers['x-service-tier'] === 'open' ? 'open' : 'enterprise',
    );
    expect(forwarded.filter((each) => each !== 'POST /v1/wallets')).toEqual([]);
  });

  it.each([
    ['a fragment', ['GET /v1/positions#x HTTP/1.1', 'Host: x']],
    ['two hosts', [GET, 'Host: x', 'Host: y']],
    ['an encoding before chunked', [POST, 'Host: x', 'Transfer-Encoding: gzip, chunked']],
  ])('%s: the connection closes, also of a client that would keep it', async (_, lines) => {
    const key = `x-api-key: ${THE_KEY}`;
    const body = lines[0] === POST ? '0\r\n\r\n' : '';
    const received = await send(`${[...lines, key].join('\r\n')}\r\n\r\n${body}`);
    expect([received.status, received.headers.connection]).toEqual([400, 'close']);
  });

  it.each([
    ['/v1/%2e%2e/admin', 404],
    ['/v1/positions/%2E%2E/x', 404],
    ['/v1/positions/..', 404],
    ['/v1/./positions', 404],
    ['/v1/positions/a%2fb', 404],
    ['/v1/positions/a%5Cb', 404],
    ['/v1/positions/a\\b', 404],
    ['/v1/positions/%00', 404],
    ['/v1/positions/a%0d%0ax', 404],
    ['//v1/positions', 404],
    ['/v1//positions', 404],
    ['/v1/positions/', 404],
    ['/v1%2fpositions', 404],
    ['/%76%31/positions', 404],
    ['/V1/positions', 404],
    ['/v1/positions;x=1', 404],
    ['http://elsewhere/v1/positions', 404],
  ])('%s: %i route_not_found, nothing forwarded', async (target, status) => {
    const received = await send(request([`GET ${target} HTTP/1.1`, 'Host: x']));
    expect([received.status, codeOf(received.body)]).toEqual([status, 'route_not_found']);
    expect(forwarded).toEqual([]);
  });

  it.each(['PROPFIND', 'TRACE', 'PUT', 'OPTIONS', 'M-SEARCH'])(
    '%s: 405 method_not_allowed',
    async (method) => {
      const received = await send(request([`${method} /v1/positions HTTP/1.1`, 'Host: x']));
      expect([received.status, codeOf(received.body), received.headers.allow]).toEqual([
        405,
        'method_not_allowed',
        'GET, HEAD',
      ]);
    },
  );

  it.each([
    ['GET /%zz', 400, 'invalid_request'],
    ['GET /account/v1/%zz', 400, 'invalid_request'],
    ['GET /account/v1/keys?cursor=%zz', 401, 'not_signed_in'],
    ['GET /docs/%c0%ae%c0%ae', 400, 'invalid_request'],
    ['GET /docs/%2e%2e%2fmain.js', 404, 'route_not_found'],
    [`DELETE /account/v1/keys/${'a'.repeat(101)}`, 404, 'not_found'],
    [`GET /${'a'.repeat(8_000)}`, 404, 'route_not_found'],
    ['GET //account/v1/keys', 404, 'route_not_found'],
    ['GET /account/v1/../v1/keys', 404, 'route_not_found'],
    ['GET http://elsewhere/account/v1/keys', 401, 'not_signed_in'],
    ['OPTIONS *', 404, 'route_not_found'],
  ])('outside of /v1, %s: %i %s', async (line, status, code) => {
    const received = await send(request([`${line} HTTP/1.1`, 'Host: x', 'x-request-id: mine']));
    expect([received.status, codeOf(received.body)]).toEqual([status, code]);
    expect(received.headers).toMatchObject({
      'content-type': expect.stringContaining('application/problem+json'),
      'x-request-id': 'mine',
      'cache-control': 'no-store',
    });
  });

  it.each([
    ['TRACE', '/account/v1/session', 'GET, HEAD'],
    ['PROPFIND', '/account/v1/keys', 'GET, HEAD, POST'],
    ['PUT', '/account/v1/keys/key_01aBcDeFgHiJkLmNoPqRsT', 'DELETE'],
    ['OPTIONS', '/openapi.json', 'GET, HEAD'],
    ['POST', '/health/live', 'GET, HEAD'],
  ])('%s %s: 405 method_not_allowed, with any body', async (method, path, allowed) => {
    const head = [`${method} ${path} HTTP/1.1`, 'Host: x', 'Content-Type: text/x'];
    for (const body of ['', '{"a"']) {
      const received = await send(request([...head, `Content-Length: ${body.length}`], body));
      expect([received.status, codeOf(received.body), received.headers.allow]).toEqual([
        405,
        'method_not_allowed',
        allowed,
      ]);
    }
  });

  it('an upgrade outside of /v1 gets the same response as any other request', async () => {
    const lines = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
    const send = (...head: string[]) => sendRaw(gateway, `${[...head, ...lines].join('\r\n')}\r\n\r\n`);
    const found = await send('GET /openapi.json HTTP/1.1');
    expect([found.status, found.headers.connection]).toEqual([200, 'close']);
    const missing = await send('GET /account/v1/nothing HTTP/1.1');
    expect([missing.status, codeOf(missing.body)]).toEqual([404, 'route_not_found']);
    const withBody = await send('POST /account/v1/log-in HTTP/1.1', 'Content-Length: 2');
    expect([withBody.status, codeOf(withBody.body)]).toEqual([400, 'invalid_request']);
  });

  it.each([
    ['no key', 'Sec-WebSocket-Version: 13'],
    ['a key of another length', 'Sec-WebSocket-Version: 13', 'Sec-WebSocket-Key: c2hvcnQ='],
    [
      'two keys',
      'Sec-WebSocket-Version: 13',
      ...Array<string>(2).fill(`Sec-WebSocket-Key: ${'A'.repeat(22)}==`),
    ],
    ['no version', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`],
    ['an old version', 'Sec-WebSocket-Version: 8', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`],
  ])('a WebSocket handshake with %s: 400, nothing forwarded', async (_, ...fields) => {
    const lines = [
      'Host: x',
      `x-api-key: ${THE_KEY}`,
      'Connection: Upgrade',
      'Upgrade: websocket',
      ...fields,
    ];
    const received = await send(`${['GET /v1/streams/positions HTTP/1.1', ...lines].join('\r\n')}\r\n\r\n`);
    expect([received.status, codeOf(received.body)]).toEqual([400, 'invalid_request']);
    expect(forwarded).toEqual([]);
  });

  it.each(['/v1/status', '/v1/nothing', '/account/v1/session', '/health/live', '/docs', '/nothing', '/%zz'])(
    'GET %s has the headers of TLS and of its type',
    async (path) => {
      const received = await send(request([`GET ${path} HTTP/1.1`, 'Host: x']));
      expect(received.headers).toMatchObject({
        'strict-transport-security': 'max-age=31536000',
        'x-content-type-options': 'nosniff',
      });
    },
  );

  it('x-api-key twice: 401 when they differ, one key when they do not', async () => {
    const twice = (other: string) => send(request([GET, 'Host: x', `x-api-key: ${other}`]));
    const differing = await twice('psk_live_other');
    expect([differing.status, codeOf(differing.body)]).toEqual([401, 'invalid_api_key']);
    expect((await twice(THE_KEY)).status).toBe(200);
  });

  it('ignores an unknown expectation', async () => {
    const received = await send(request([GET, 'Host: x', 'Expect: a-miracle']));
    expect(received.status).toBe(200);
  });

  it.each([
    ['declared', [POST, 'Host: x', `Content-Length: ${MIB + 1}`], 'a'.repeat(MIB + 1)],
    [
      'in chunks',
      [POST, 'Host: x', 'Transfer-Encoding: chunked'],
      `${(MIB + 1).toString(16)}\r\n${'a'.repeat(MIB + 1)}\r\n0\r\n\r\n`,
    ],
  ])('a body of 1 MiB + 1, %s: 413 body_too_large', async (_, lines, body) => {
    const received = await send(request(lines, body));
    expect([received.status, codeOf(received.body)]).toEqual([413, 'body_too_large']);
    expectFiveHeaders(received.headers, 'enterprise');
  });

  it('invalid JSON is rejected by the service: its 400 reaches the client', async () => {
    const body = JSON.stringify({ code: 'invalid_json', status: 400 });
    const { echo } = fixture.upstream;
    fixture.upstream.handler = (_, response) =>
      response
        .writeHead(400, { 'content-type': 'application/problem+json', 'content-length': body.length })
        .end(body);
    const received = await send(request([POST, 'Host: x', 'Content-Length: 4'], '{"a"'));
    fixture.upstream.handler = echo;
    expect([received.status, codeOf(received.body)]).toEqual([400, 'invalid_json']);
    expectFiveHeaders(received.headers, 'enterprise');
  });

  it('invalid bytes after requests that are still in progress', async () => {
    const good = `${GET}\r\nHost: x\r\nx-api-key: ${THE_KEY}\r\n\r\n`;
    const received = await send(`${good}${good}rubbish\r\n\r\n`);
    expect(received.text.match(/HTTP\/1\.1 \d/g)?.length ?? 0).toBeLessThanOrEqual(2);
  });

  const UPGRADE = ['Host: x', 'Connection: Upgrade', 'Upgrade: websocket'];
  const SOCKET = ['Sec-WebSocket-Version: 13', `Sec-WebSocket-Key: ${'A'.repeat(22)}==`];
  const STREAM = 'GET /v1/streams/positions HTTP/1.1';

  it.each([
    ['a body', [POST, 'Host: x', 'Content-Length: 9'], 'a'],
    ['chunks', [POST, 'Host: x', 'Transfer-Encoding: chunked'], '5\r\na'],
    ['a body of the account API', ['POST /account/v1/log-in HTTP/1.1', 'Host: x', 'Content-Length: 9'], 'a'],
    ['a head', [GET, 'Host: x', 'x-a: b'], ''],
    ['a tunnel', ['CONNECT x:443 HTTP/1.1', 'Host: x'], ''],
    ['a handshake', [STREAM, ...UPGRADE, ...SOCKET], ''],
    ['a handshake with a body', [STREAM, ...UPGRADE, ...SOCKET, 'Content-Length: 2'], ''],
    ['half of such a body', [STREAM, ...UPGRADE, ...SOCKET, 'Content-Length: 2'], '{'],
    ['a handshake with chunks', [STREAM, ...UPGRADE, ...SOCKET, 'Transfer-Encoding: chunked'], '5\r\na'],
    ['an upgrade of no stream', [POST, ...UPGRADE, 'Content-Length: 2'], ''],
    [
      'an upgrade of the account API',
      ['POST /account/v1/log-in HTTP/1.1', ...UPGRADE, 'Content-Length: 2'],
      '',
    ],
    [
      'an upgrade to another protocol',
      [GET, 'Host: x', 'Connection: Upgrade', 'Upgrade: h2c', 'Content-Length: 2'],
      '',
    ],
  ])('goes on when a client leaves in the middle of %s', async (_, lines, body) => {
    const withKey = `${[...lines, `x-api-key: ${account.key}`].join('\r\n')}\r\n\r\n${body}`;
    await sendAndLeave(gateway, withKey);
    await sendAndLeave(gateway, `${lines.join('\r\n')}\r\n\r\n${body}`);
  });

  it('a thousand bad requests leave the process alive', async () => {
    const bytes = ['\0\0\0', 'GET', 'GET /v1 HTTP/1.1\r\n\r\n', `${POST}\r\nContent-Length: 9\r\n\r\n`];
    for (let round = 0; round < 20; round += 1) {
      await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) => send(`${bytes[i % bytes.length]}\r\n\r\n`, 'HTTP/1.1')),
      );
    }
  });
});

function codeOf(body: string): string | undefined {
  try {
    return (JSON.parse(body) as { code?: string }).code;
  } catch {
    return undefined;
  }
}
