import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { Server as SocketIo } from 'socket.io';
import { WebSocketServer } from 'ws';
import { textMessage } from '../../apps/streams/src/connection/encoded-frame';
import { stampedMessage } from './message';

/** The commands of the process: how often to send, 0 for never. */
export interface BareCommand {
  messagesPerSecond: number;
}

/** The peers: the least code between a message and all clients, for each way of sending. */
const PEERS: Record<string, () => Promise<{ port: number; send(text: string): void }>> = {
  bareWsSharedBuffer: async () => {
    const server = new WebSocketServer({ port: 0, host: '127.0.0.1', perMessageDeflate: false });
    await once(server, 'listening');
    const send = (text: string): void => {
      const bytes = Buffer.from(text);
      for (const client of server.clients) client.send(bytes, { binary: false });
    };
    return { port: (server.address() as AddressInfo).port, send };
  },
  bareWsPrebuiltFrame: async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const webSockets = new WebSocketServer({ noServer: true, perMessageDeflate: false });
    const sockets = new Set<Socket>();
    server.on('upgrade', (request, socket: Socket, head) => {
      webSockets.handleUpgrade(request, socket, head, () => sockets.add(socket));
      socket.on('close', () => sockets.delete(socket));
    });
    const send = (text: string): void => {
      const frame = textMessage(text);
      for (const socket of sockets) socket.write(frame);
    };
    return { port: (server.address() as AddressInfo).port, send };
  },
  bareSocketIo: async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    const io = new SocketIo(server, { transports: ['websocket'], serveClient: false });
    io.on('connection', (socket) => {
      socket.emit('welcome', {});
      socket.on('subscribe', () => socket.emit('subscribed', {}));
    });
    const send = (text: string): void => {
      io.emit('event', JSON.parse(text));
    };
    return { port: (server.address() as AddressInfo).port, send };
  },
};

async function main(): Promise<void> {
  const start = PEERS[process.argv[2] ?? ''];
  if (!start) throw new Error(`give one of ${Object.keys(PEERS).join(', ')}`);
  const { port, send } = await start();
  let timer: NodeJS.Timeout | undefined;
  process.on('message', ({ messagesPerSecond }: BareCommand) => {
    clearInterval(timer);
    if (messagesPerSecond > 0) timer = setInterval(() => send(stampedMessage()), 1_000 / messagesPerSecond);
  });
  process.send?.({ port });
}

void main();
