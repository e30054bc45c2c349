import { type RequestListener, type Server, createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { headLines, KEEP_ALIVE_MS, mayPrepareHead, writePreparedHead } from './head';

const OWN = ['X-Service-Tier', 'open'];
const SERVICE = ['Content-Type', 'text/plain', 'Date', 'today', 'Content-Length', '2'];

describe('writePreparedHead', () => {
  let server: Server | undefined;

  afterEach(() => server?.close());

  /** Returns what one connection receives for these requests. */
  async function responses(listener: RequestListener, requests: string): Promise<string> {
    server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS }, listener);
    await new Promise<void>((resolve) => server?.listen(0, '127.0.0.1', resolve));
    const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
    socket.write(requests);
    let text = '';
    for await (const chunk of socket) text += String(chunk);
    return text;
  }

  const GET = 'GET / HTTP/1.1\r\nHost: a\r\n\r\n';
  const LAST = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n';

  it.each([200, 201, 404, 503])('writes the same as Node’s writeHead with status %d', async (status) => {
    let prepared = 0;
    const ours = await responses(
      (_, response) => {
        if (mayPrepareHead(response, status)) {
          prepared += 1;
          writePreparedHead(response, status, headLines([...OWN, ...SERVICE]));
          expect([response.headersSent, response.statusCode]).toEqual([true, status]);
        } else response.writeHead(status, [...OWN, ...SERVICE]);
        response.end('ok');
      },
      GET + GET + LAST,
    );
    expect(prepared).toBe(2);
    await new Promise((resolve) => server?.close(resolve));
    const nodes = await responses(
      (_, response) => {
        response.writeHead(status, [...OWN, ...SERVICE]).end('ok');
      },
      GET + GET + LAST,
    );
    expect(ours).toBe(nodes);
  });

  it.each([
    ['HEAD', 200, 'HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n'],
    ['HTTP/1.0', 200, 'GET / HTTP/1.0\r\n\r\n'],
    ['a connection that ends', 200, LAST],
    ['204', 204, LAST.replace('close', 'keep-alive').replace('GET', 'DELETE')],
    ['304', 304, LAST.replace('close', 'keep-alive')],
  ])('leaves %s to Node', async (_, status, request) => {
    let may: boolean | undefined;
    await responses((_request, response) => {
      may = mayPrepareHead(response, status);
      response.shouldKeepAlive = false;
      response.end();
    }, request);
    expect(may).toBe(false);
  });
});
