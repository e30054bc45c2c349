import { type Socket, connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import { waitFor } from '@plimsoll/testing';
import { GatewayAdapter } from '../src/edge/gateway-adapter';
import { Fixture, type TestKey } from './fixture';

jest.setTimeout(30_000);

const MIB = 1_048_576;
/** Connections that a gateway has to one address of a service. */
const CONNECTIONS = 128;
const STALLED_MS = 400;

describe('a request body that passes the gateway', () => {
  let fixture: Fixture;
  let account: TestKey;
  let app: NestFastifyApplication;
  let port: number;
  /** The gateway's side of its clients' connections. */
  const connections: Socket[] = [];

  beforeAll(async () => {
    fixture = await Fixture.start();
    account = await fixture.account('enterprise', { perMinute: 100_000 });
  });
  beforeEach(() => {
    fixture.upstream.handler = fixture.upstream.echo;
  });
  afterEach(async () => {
    await app.close();
    connections.length = 0;
  });
  afterAll(() => fixture.stop());

  async function start(stalledMs?: number): Promise<void> {
    const started = await fixture.app({}, new GatewayAdapter(stalledMs));
    app = started.app;
    port = Number(new URL(started.origin).port);
    app.getHttpServer().on('connection', (connection: Socket) => connections.push(connection));
  }

  const open = (line: string, ...headers: string[]): Socket => {
    const socket = connect(port, '127.0.0.1');
    const head = [
      `${line} HTTP/1.1`,
      'Host: x',
      `x-api-key: ${account.key}`,
      'Connection: close',
      ...headers,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    return socket;
  };

  describe('while the service does not read it', () => {
    const WAITING = 16;

    it('remains with the client, except its beginning, and then arrives complete', async () => {
      await start();
      const held: ServerResponse[] = [];
      fixture.upstream.handler = (_, response) => held.push(response);
      const busy = Array.from({ length: CONNECTIONS }, () => open('GET /v1/positions'));
      await waitFor(() => held.length === CONNECTIONS, {
        message: 'requests on all connections to the service',
      });
      fixture.upstream.handler = fixture.upstream.echo;
      const heads = connections.length;
      const waiting = Array.from({ length: WAITING }, () => {
        const socket = open('POST /v1/wallets', `Content-Length: ${MIB}`);
        socket.write(Buffer.alloc(MIB));
        return socket;
      });
      let before = -1;
      const read = await waitFor(
        () => {
          const now = connections.slice(heads).reduce((sum, { bytesRead }) => sum + bytesRead, 0);
          const stands = connections.length === heads + WAITING && now === before;
          before = now;
          return stands && now;
        },
        { intervalMs: 200, message: 'the gateway pauses the clients' },
      );
      expect(read).toBeLessThan((WAITING * MIB) / 4);
      for (const response of held) response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
      const responses = await Promise.all(waiting.map((socket) => text(socket)));
      for (const received of responses) expect(received).toContain(`"bodyBytes":${MIB}`);
      for (const socket of busy) socket.destroy();
    });
  });

  describe('on a connection that no longer moves data', () => {
    const isClosed = (socket: Socket): Promise<void> =>
      new Promise((resolve) => {
        socket.on('error', () => undefined).on('close', () => resolve());
      });

    it('is aborted together with the service’s work when the client stops sending', async () => {
      await start(STALLED_MS);
      let arrived: IncomingMessage | undefined;
      fixture.upstream.handler = (request) => {
        arrived = request;
        request.resume();
      };
      const socket = open('POST /v1/wallets', `Content-Length: ${MIB}`);
      socket.write(Buffer.alloc(1_000));
      const closed = isClosed(socket.resume());
      const request = await waitFor(() => arrived, { message: 'the request at the service' });
      const brokenOff = new Promise((resolve) => request.once('close', resolve));
      const startedAtMs = performance.now();
      await Promise.all([closed, brokenOff]);
      expect(performance.now() - startedAtMs).toBeLessThan(3 * STALLED_MS);
      expect(request.complete).toBe(false);
    });

    it('is aborted together with the service’s work when the client stops reading', async () => {
      await start(STALLED_MS);
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
      const socket = open('GET /v1/positions').pause();
      await waitFor(() => isBrokenOff, {
        timeoutMs: 2_500,
        message: 'the request at the service is aborted',
      });
      expect(connections.every(({ destroyed }) => destroyed)).toBe(true);
      socket.destroy();
    });

    it('continues, however long it takes, as long as data move', async () => {
      await start(STALLED_MS);
      const parts = 8;
      const socket = open('POST /v1/wallets', `Content-Length: ${parts}`);
      const received = text(socket);
      for (let i = 0; i < parts; i += 1) {
        socket.write('x');
        await new Promise((resolve) => setTimeout(resolve, STALLED_MS / 4));
      }
      expect(await received).toContain(`"bodyBytes":${parts}`);
    });
  });
});
