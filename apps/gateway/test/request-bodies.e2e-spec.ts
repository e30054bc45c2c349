import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitFor } from '@plimsoll/testing';
import type { GatewayConfig } from '../src/config';
import { GatewayAdapter } from '../src/edge/gateway-adapter';
import { Fixture, type TestKey, call } from './fixture';

jest.setTimeout(30_000);

const MIB = 1_048_576;
const STALLED_MS = 400;
const SILENCE_MS = 300;
const STALLED_UPLOADS = 60;

describe('a request body', () => {
  let fixture: Fixture;
  let account: TestKey;
  let other: TestKey;
  let app: NestFastifyApplication;
  let origin: string;
  /** Requests that reached the service. */
  let forwarded: number;
  /** The gateway's side of its clients' connections. */
  const connections: Socket[] = [];

  beforeAll(async () => {
    fixture = await Fixture.start();
    account = await fixture.account('enterprise', { perMinute: 100_000 });
    other = await fixture.account('enterprise', { perMinute: 100_000 });
  });
  beforeEach(() => {
    forwarded = 0;
    fixture.upstream.handler = (request, response) => {
      forwarded += 1;
      fixture.upstream.echo(request, response);
    };
  });
  afterEach(async () => {
    await app.close();
    connections.length = 0;
  });
  afterAll(() => fixture.stop());

  async function start(
    overrides: Partial<GatewayConfig> = {},
    adapter = new GatewayAdapter(),
  ): Promise<void> {
    ({ app, origin } = await fixture.app(overrides, adapter));
    app.getHttpServer().on('connection', (connection: Socket) => connections.push(connection));
  }

  const open = (line: string, ...headers: string[]): Socket => {
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const head = [`${line} HTTP/1.1`, 'Host: x', `x-api-key: ${account.key}`, 'Connection: close'];
    socket.write(`${[...head, ...headers].join('\r\n')}\r\n\r\n`);
    return socket;
  };
  const upload = (bytes: number): Socket => open('POST /v1/wallets', `Content-Length: ${bytes}`);
  const bytesRead = (): number => connections.reduce((sum, connection) => sum + connection.bytesRead, 0);

  it('reaches the service only when it is complete', async () => {
    await start();
    const socket = upload(MIB);
    socket.write(Buffer.alloc(MIB - 1));
    await waitFor(() => bytesRead() >= MIB, { message: 'the gateway has all but one byte' });
    expect(forwarded).toBe(0);
    socket.write('x');
    expect(await text(socket)).toContain(`"bodyBytes":${MIB}`);
    expect(forwarded).toBe(1);
  });

  it('in chunks arrives with its length', async () => {
    await start();
    const socket = open('POST /v1/wallets', 'Transfer-Encoding: chunked');
    for (const piece of ['1\r\na\r\n', '2\r\nbc\r\n', '0\r\n\r\n']) socket.write(piece);
    const response = await text(socket);
    expect(response).toContain('"bodyBytes":3');
    expect(response).toContain('"content-length":"3"');
  });

  it('in thousands of chunks gets 400, and its connection is closed', async () => {
    await start();
    const socket = open('POST /v1/wallets', 'Transfer-Encoding: chunked');
    socket.write('1\r\na\r\n'.repeat(5_000));
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 400 /);
    expect(response).toContain('chunks');
    expect(response).toContain('Connection: close');
    expect(forwarded).toBe(0);
  });

  it('in 4,096 chunks arrives', async () => {
    await start();
    const socket = open('POST /v1/wallets', 'Transfer-Encoding: chunked');
    socket.write(`${'1\r\na\r\n'.repeat(4_096)}0\r\n\r\n`);
    expect(await text(socket)).toContain('"bodyBytes":4096');
  });

  it.each([
    ['the API without a key', '/v1/wallets', '401'],
    ['an unknown path', '/nothing', ''],
    ['the account API', '/account/v1/log-in', ''],
  ])(
    'in endless chunks to %s ends its connection',
    async (_, path, status) => {
      await start();
      const socket = connect(Number(new URL(origin).port), '127.0.0.1').on('error', () => undefined);
      const closed = new Promise((resolve) => socket.on('close', resolve));
      let received = '';
      socket.on('data', (bytes: Buffer) => (received += bytes.toString()));
      const head = [`POST ${path} HTTP/1.1`, 'Host: x', 'Content-Type: application/json'];
      socket.write(`${[...head, 'Transfer-Encoding: chunked'].join('\r\n')}\r\n\r\n`);
      const chunks = setInterval(() => socket.write('1\r\na\r\n'.repeat(1_000)), 5);
      await closed.finally(() => clearInterval(chunks));
      expect(received.slice(9)).toMatch(new RegExp(`^(?:${status || '4'})`));
    },
    10_000,
  );

  it('that stalls gets 408 and affects no other call: neither the breaker nor the connections', async () => {
    await start({ BODY_SILENCE_MS: SILENCE_MS });
    const stalled = Array.from({ length: STALLED_UPLOADS }, () => {
      const socket = upload(1_000);
      socket.write('x');
      return text(socket);
    });
    await waitFor(() => connections.length >= STALLED_UPLOADS, { message: 'all uploads are open' });
    const post = () => call(origin, '/v1/wallets', other.key, { method: 'POST', body: Buffer.from('{}') });
    const statuses = new Set<number>();
    const state = { isOver: false };
    const responses = Promise.all(stalled).finally(() => (state.isOver = true));
    while (!state.isOver) statuses.add((await post()).status);
    for (let i = 0; i < 10; i += 1) statuses.add((await post()).status);
    expect([...statuses]).toEqual([200]);
    for (const response of await responses) {
      expect(response).toMatch(/^HTTP\/1\.1 408 /);
      expect(response).toContain('"code":"request_timeout"');
      expect(response).toContain('Connection: close');
    }
  });

  it.each([
    ['the account API', 'POST /account/v1/log-in', 'Content-Type: application/json', 400],
    ['the account API, of another type', 'POST /account/v1/log-in', 'Content-Type: text/plain', 415],
    ['an unknown path', 'POST /nothing', 'Content-Type: application/json', 404],
    ['a service', 'POST /v1/wallets', 'Content-Type: application/json', 200],
  ])('that is announced by its type only is empty, for %s', async (_, line, type, status) => {
    await start();
    expect(await text(open(line, type))).toMatch(new RegExp(`^HTTP/1\\.1 ${status} `));
  });

  it('that trickles gets 408 at the deadline of the whole body', async () => {
    await start({ BODY_SILENCE_MS: 200, BODY_DEADLINE_MS: 600 });
    const socket = upload(1_000);
    const trickle = setInterval(() => socket.write('x'), 50);
    const response = await text(socket.on('error', () => undefined));
    clearInterval(trickle);
    expect(response).toContain('"code":"request_timeout"');
    expect(forwarded).toBe(0);
  });

  it('beyond the memory of the process gets 503, until other bodies have gone', async () => {
    await start({ BODY_BUFFER_MIB: 2 });
    const first = [upload(MIB), upload(MIB)];
    for (const socket of first) socket.write(Buffer.alloc(MIB - 1));
    await waitFor(() => bytesRead() >= 2 * MIB, { message: 'two bodies are in memory' });
    const refused = await call(origin, '/v1/wallets', other.key, { method: 'POST', body: Buffer.alloc(10) });
    expect([refused.status, refused.body.code]).toEqual([503, 'upstream_unavailable']);
    expect(refused.headers['retry-after']).toBe('2');
    first[0]?.write('x');
    expect(await text(first[0]!)).toContain(`"bodyBytes":${MIB}`);
    first[1]?.destroy();
    await waitFor(
      async () =>
        (await call(origin, '/v1/wallets', other.key, { method: 'POST', body: Buffer.alloc(MIB) })).status ===
        200,
      { message: 'the memory of a client that disconnected is free' },
    );
  });

  it('continues, however long it takes, as long as data move', async () => {
    await start({ BODY_SILENCE_MS: SILENCE_MS }, new GatewayAdapter({ stalled: STALLED_MS }));
    const parts = 8;
    const socket = upload(parts);
    const received = text(socket);
    for (let i = 0; i < parts; i += 1) {
      socket.write('x');
      await new Promise((resolve) => setTimeout(resolve, SILENCE_MS / 3));
    }
    expect(await received).toContain(`"bodyBytes":${parts}`);
  });
});

describe('a connection', () => {
  let fixture: Fixture;
  let account: TestKey;

  beforeAll(async () => {
    fixture = await Fixture.start();
    account = await fixture.account('enterprise');
  });
  afterAll(() => fixture.stop());

  it('whose client stops reading is closed, and the service’s work aborted', async () => {
    const { app, origin } = await fixture.app({}, new GatewayAdapter({ stalled: STALLED_MS }));
    const connections: Socket[] = [];
    app.getHttpServer().on('connection', (connection: Socket) => connections.push(connection));
    const endless = Buffer.alloc(MIB);
    let isBrokenOff = false;
    fixture.upstream.handler = (_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      const write = (): void => {
        while (response.write(endless));
      };
      response.on('drain', write).on('close', () => (isBrokenOff = true));
      write();
    };
    const socket = connect(Number(new URL(origin).port), '127.0.0.1').pause();
    socket.write(`GET /v1/positions HTTP/1.1\r\nHost: x\r\nx-api-key: ${account.key}\r\n\r\n`);
    await waitFor(() => isBrokenOff, {
      timeoutMs: 2_500,
      message: 'the request at the service is aborted',
    });
    expect(connections.every(({ destroyed }) => destroyed)).toBe(true);
    socket.destroy();
    await app.close();
  });

  it('that sends nothing within the deadline is closed without a response', async () => {
    const { app, origin } = await fixture.app({}, new GatewayAdapter({ headers: 300 }));
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    expect(await text(socket)).toBe('');
    await app.close();
  });

  it('whose body for the account API does not arrive within the deadline gets 408', async () => {
    const { app, origin } = await fixture.app({}, new GatewayAdapter({ headers: 300, request: 600 }));
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const head = ['POST /account/v1/log-in HTTP/1.1', 'Host: x', 'Content-Type: application/json'];
    socket.write(`${[...head, 'Content-Length: 100'].join('\r\n')}\r\n\r\n{`);
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toContain('"code":"request_timeout"');
    await app.close();
  });

  it.each([
    ['that trickles', 'Content-Length: 100', 'x'],
    ['that is malformed', 'Transfer-Encoding: chunked', 'no chunk\r\n'],
  ])('gets one response to a refused request with a body %s', async (_, header, piece) => {
    const { app, origin } = await fixture.app({}, new GatewayAdapter({ headers: 300, request: 600 }));
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    const closed = new Promise((resolve) => socket.on('error', () => undefined).on('close', resolve));
    let received = '';
    let trickle: NodeJS.Timeout | undefined;
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1');
      trickle ??= setInterval(() => socket.write(piece), 50);
    });
    socket.write(`POST /v1/wallets HTTP/1.1\r\nHost: x\r\n${header}\r\n\r\n`);
    await closed;
    clearInterval(trickle);
    expect(received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 401']);
    await app.close();
  });

  it('whose head does not arrive within the deadline gets 408', async () => {
    const { app, origin } = await fixture.app({}, new GatewayAdapter({ headers: 300 }));
    const socket = connect(Number(new URL(origin).port), '127.0.0.1');
    socket.write('GET /v1/positions HTTP/1.1\r\nHost: x\r\n');
    const startedAtMs = performance.now();
    const response = await text(socket);
    expect(response).toMatch(/^HTTP\/1\.1 408 /);
    expect(response).toContain('"code":"request_timeout"');
    expect(performance.now() - startedAtMs).toBeLessThan(5_000);
    await app.close();
  });
});
