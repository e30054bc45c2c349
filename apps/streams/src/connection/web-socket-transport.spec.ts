import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { EncodedFrame } from './encoded-frame';
import { StreamSocket, WebSocketTransport } from './web-socket-transport';

describe('WebSocketTransport', () => {
  const http = createServer();
  const server = new WebSocketServer({ noServer: true, perMessageDeflate: false, WebSocket: StreamSocket });
  beforeAll(async () => {
    http.listen(0, '127.0.0.1');
    await once(http, 'listening');
  });
  afterAll(() => {
    http.close();
    http.closeAllConnections();
  });

  async function connect(): Promise<{ transport: WebSocketTransport; tcp: Socket; client: WebSocket }> {
    const upgraded = once(http, 'upgrade');
    const client = new WebSocket(`ws://127.0.0.1:${(http.address() as AddressInfo).port}`);
    client.on('error', () => undefined);
    const [request, tcp, head] = (await upgraded) as [
      Parameters<typeof server.handleUpgrade>[0],
      Socket,
      Buffer,
    ];
    const webSocket = await new Promise<StreamSocket>((resolve) =>
      server.handleUpgrade(request, tcp, head, (each) => resolve(each as StreamSocket)),
    );
    await once(client, 'open');
    return { transport: new WebSocketTransport(tcp, webSocket), tcp, client };
  }

  it('sends frames that are already encoded', async () => {
    const { transport, client } = await connect();
    const received = once(client, 'message');
    expect(transport.isOpen).toBe(true);
    expect(transport.send(new EncodedFrame('pong', '{"type":"pong"}'))).toBe(true);
    expect(String((await received)[0])).toBe('{"type":"pong"}');
    client.terminate();
  });

  it('is closed as soon as this end closes it, although its socket is still open', async () => {
    const { transport, tcp, client } = await connect();
    const closed = once(client, 'close');
    transport.close(4001, 'come back');
    expect(transport.isOpen).toBe(false);
    expect(tcp.writable).toBe(true);
    expect((await closed)[0]).toBe(4001);
  });

  it('is closed when the other end has closed it, or its socket has ended', async () => {
    const asked = await connect();
    const cut = await connect();
    const terminated = await connect();
    const gone = Promise.all([asked, cut].map(({ tcp }) => once(tcp, 'close')));
    asked.client.close(1000);
    cut.client.terminate();
    await gone;
    terminated.transport.terminate();
    expect([asked, cut, terminated].map(({ transport }) => transport.isOpen)).toEqual([false, false, false]);
  });
});
