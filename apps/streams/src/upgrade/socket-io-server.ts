import type { IncomingMessage } from 'node:http';
import type { Socket as TcpSocket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Server as Engine } from 'engine.io';
import { type Socket, Server } from 'socket.io';
import { checkClientFrame } from '../connection/client-frame';
import { SocketIoTransport } from '../connection/socket-io-transport';
import { LIMITS } from '../limits';
import type { OnConnected, OnClosed } from './joining';

const CONNECT_DEADLINE_MS = 5_000;

/** Serves Socket.IO on admitted upgrades: WebSocket only, default namespace only. */
export class SocketIoServer {
  private readonly engine: Engine;
  private readonly joining = new WeakMap<IncomingMessage, OnConnected>();

  /** @param heartbeatMs between two pings, and to respond to one */
  constructor(
    heartbeatMs: number,
    private readonly onClosed: OnClosed,
  ) {
    this.engine = new Engine({
      transports: ['websocket'],
      pingInterval: heartbeatMs,
      pingTimeout: heartbeatMs,
      maxHttpBufferSize: LIMITS.inboundFrameBytes,
      perMessageDeflate: false,
    });
    const io = new Server({ serveClient: false, connectTimeout: CONNECT_DEADLINE_MS });
    io.bind(this.engine);
    io.on('connection', (socket) => this.connected(socket));
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, onConnected: OnConnected): void {
    this.joining.set(request, onConnected);
    this.engine.handleUpgrade(request as Parameters<Engine['handleUpgrade']>[0], socket, head);
  }

  /** Frames bypass Socket.IO. The first one must not overtake its response to the client's connect. */
  private connected(socket: Socket): void {
    const { request, conn } = socket;
    const onConnected = this.joining.get(request);
    if (!onConnected) {
      socket.disconnect(true);
      return;
    }
    const begin = (): void => {
      if (socket.connected) this.serve(socket, request.socket as TcpSocket, onConnected);
    };
    if (conn.transport.writable) begin();
    else conn.transport.once('ready', begin);
  }

  private serve(socket: Socket, tcp: TcpSocket, onConnected: OnConnected): void {
    const connection = onConnected(new SocketIoTransport(socket, tcp));
    socket.onAny((type: string, payload: unknown) => {
      if (!connection.admit()) return;
      const fields = typeof payload === 'object' && payload !== null ? payload : {};
      connection.receive(checkClientFrame({ ...fields, type }, connection.stream));
    });
    socket.once('disconnect', () => this.onClosed(connection));
  }
}
