import { once } from 'node:events';
import { type Server, createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { WebSocket, WebSocketServer } from 'ws';
import { EncodedFrame, textMessage } from './encoded-frame';

describe('textMessage', () => {
  let server: Server;
  beforeAll(async () => {
    server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
  });
  afterAll(() => server.close());

  it('is read by a stock client at any length', async () => {
    const texts = [0, 1, 125, 126, 65_535, 65_536].map((length) => 'x'.repeat(length));
    texts.push('größer € 🚢', '🚢'.repeat(40));
    server.once('upgrade', (request, socket: Socket, head) => {
      new WebSocketServer({ noServer: true }).handleUpgrade(request, socket, head, () => {
        for (const text of texts) socket.write(textMessage(text));
      });
    });
    const client = new WebSocket(`ws://127.0.0.1:${(server.address() as AddressInfo).port}`);
    const received: string[] = [];
    await new Promise<void>((resolve, reject) => {
      client.on('error', reject);
      client.on('message', (data: Buffer) => {
        received.push(data.toString());
        if (received.length === texts.length) resolve();
      });
    });
    client.terminate();
    expect(received).toEqual(texts);
  });
});

describe('EncodedFrame', () => {
  it('is encoded once for each transport', () => {
    const frame = new EncodedFrame('event', '{"type":"event"}');
    expect(frame.webSocket).toBe(frame.webSocket);
    expect(frame.socketIo).toEqual(textMessage('42["event",{"type":"event"}]'));
  });
});
