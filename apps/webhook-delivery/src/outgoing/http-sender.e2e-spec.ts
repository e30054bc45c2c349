import { type Server, type Socket, createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { parseCidrs } from '@plimsoll/service-kit';
import { waitFor } from '@plimsoll/testing';
import { SELF_SIGNED } from '../../test/self-signed';
import { HostResolver } from './host-resolver';
import type { SendResult } from './exchange';
import { HttpSender } from './http-sender';

/** Responds to every connection with raw bytes, as a hostile endpoint would. */
async function startRaw(response: (socket: Socket) => void): Promise<{ url: string; close(): void }> {
  const sockets = new Set<Socket>();
  const server: Server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.once('data', () => response(socket));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () => {
      for (const socket of sockets) socket.destroy();
      server.close();
    },
  };
}

describe('HttpSender', () => {
  const opened = { cidrs: parseCidrs('127.0.0.0/8'), http: true };
  const sender = new HttpSender(new HostResolver(), opened, Date.now);
  afterAll(() => sender.close());

  const post = async (response: (socket: Socket) => void): Promise<SendResult> => {
    const server = await startRaw(response);
    try {
      return await sender.post({
        url: server.url,
        headers: ['content-type', 'application/json'],
        body: '{}',
      });
    } finally {
      server.close();
    }
  };
  const head = 'HTTP/1.1 200 OK\r\n';

  it('keeps the first 4 KiB of an endless response and closes the connection', async () => {
    let isClosed = false;
    const result = await post((socket) => {
      socket.once('close', () => (isClosed = true));
      socket.write(`${head}content-length: 1073741824\r\n\r\n`);
      const chunk = Buffer.alloc(65_536, 'a');
      const flood = (): void => {
        while (!socket.destroyed && socket.write(chunk));
        if (!socket.destroyed) socket.once('drain', flood);
      };
      flood();
    });
    expect(result).toMatchObject({ statusCode: 200, error: null, responseHead: 'a'.repeat(4_096) });
    expect(result.durationMs).toBeLessThan(5_000);
    await waitFor(() => isClosed, { message: 'the connection is closed' });
  });

  it('uses the status of a response that breaks off afterwards', async () => {
    const result = await post((socket) => {
      socket.write(`${head}content-length: 100\r\n\r\npart`, () => socket.resetAndDestroy());
    });
    expect(result).toMatchObject({ statusCode: 200, error: null });
  });

  it('decompresses nothing and keeps no NUL', async () => {
    const result = await post((socket) => {
      socket.end(`${head}content-encoding: gzip\r\ncontent-length: 3\r\n\r\na\0b`);
    });
    expect(result).toMatchObject({ statusCode: 200, responseHead: 'a\uFFFDb' });
  });

  it('returns the requested delay and follows no redirect', async () => {
    const busy = await post((socket) => {
      socket.end('HTTP/1.1 503 Busy\r\nretry-after: 120\r\ncontent-length: 0\r\n\r\n');
    });
    expect(busy).toMatchObject({ statusCode: 503, retryAfter: '120' });
    const moved = await post((socket) => {
      socket.end('HTTP/1.1 307 Moved\r\nlocation: http://127.0.0.1:9/\r\ncontent-length: 0\r\n\r\n');
    });
    expect(moved).toMatchObject({ statusCode: 307, error: null });
  });

  it.each([
    ['hangs up', (socket: Socket) => socket.end(), 'connection_reset'],
    ['resets', (socket: Socket) => socket.resetAndDestroy(), 'connection_reset'],
    ['speaks no HTTP', (socket: Socket) => socket.end('220 smtp.example.com ESMTP\r\n'), 'invalid_response'],
    [
      'has endless headers',
      (socket: Socket) => socket.end(`${head}${'x: y\r\n'.repeat(10_000)}\r\n`),
      'invalid_response',
    ],
  ])('reports that the endpoint %s', async (_name, response, error) => {
    expect(await post((socket) => void response(socket))).toMatchObject({ statusCode: null, error });
  });

  it('reports that nothing listens, and that the name has no address', async () => {
    const send = (url: string) => sender.post({ url, headers: [], body: '' });
    expect(await send('http://127.0.0.1:2/')).toMatchObject({ error: 'connection_refused' });
    expect(await send('https://10.0.0.1/')).toMatchObject({ error: 'unsafe_address' });
    expect((await send('https://nowhere.invalid/')).error).toMatch(/^dns_/);
  }, 20_000);

  it.each([
    ['an untrusted certificate', () => createTlsServer(SELF_SIGNED)],
    ['no certificate at all', () => createTlsServer({})],
    ['plain HTTP', () => createServer((socket) => void socket.end(`${head}content-length: 0\r\n\r\n`))],
  ])('reports tls when an https endpoint has %s', async (_name, make) => {
    const server = make().on('tlsClientError', () => undefined);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const { port } = server.address() as AddressInfo;
    const result = await sender.post({ url: `https://127.0.0.1:${port}/`, headers: [], body: '' });
    server.close();
    expect(result).toMatchObject({ statusCode: null, error: 'tls' });
  });

  it('uses the final status after an informational response', async () => {
    const result = await post((socket) => {
      socket.end(`HTTP/1.1 103 Early Hints\r\nlink: <x>\r\n\r\n${head}content-length: 2\r\n\r\nok`);
    });
    expect(result).toMatchObject({ statusCode: 200, responseHead: 'ok' });
  });

  it('ends exchanges in flight when it is interrupted, also before there is a connection', async () => {
    const server = await startRaw(() => undefined);
    const send = (url: string) => sender.post({ url, headers: [], body: '' });
    const results = Promise.all([send(server.url), send('https://nowhere.invalid/')]);
    sender.interrupt();
    for (const result of await results) expect(result).toMatchObject({ error: 'interrupted' });
    server.close();
  });

  it('bounds a header and a body that arrive slowly by one deadline of 10 s', async () => {
    const drip = (start: string) => (socket: Socket) => {
      socket.write(start);
      const timer = setInterval(() => socket.write('x'), 500);
      socket.once('close', () => clearInterval(timer));
    };
    const [header, body] = await Promise.all([
      post(drip('HTTP/1.1 200 OK\r\nx-slow: ')),
      post(drip(`${head}content-length: 1000\r\n\r\n`)),
    ]);
    expect(header).toMatchObject({ statusCode: null, error: 'timeout' });
    expect(body).toMatchObject({ statusCode: 200, error: null });
    for (const { durationMs } of [header, body]) {
      expect(durationMs).toBeGreaterThan(9_900);
      expect(durationMs).toBeLessThan(11_500);
    }
  }, 20_000);
});
