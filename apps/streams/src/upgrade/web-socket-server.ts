import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type ServerOptions, WebSocketServer as Server } from 'ws';
import { parseClientFrame } from '../connection/client-frame';
import type { StreamConnection } from '../connection/stream-connection';
import type { Joining } from './joining';
import { StreamSocket } from '../connection/stream-socket';
import { WebSocketTransport } from '../connection/web-socket-transport';
import { LIMITS } from '../limits';

/** A client that was told to close may still have to read what was sent before; then its socket is cut. */
const CLOSE_TIMEOUT_MS = 30_000;

/** Speaks plain WebSocket on upgrades that were admitted. */
export class WebSocketServer {
  private readonly server;

  constructor() {
    // The published types of ws do not know the last two yet.
    const options: ServerOptions<typeof StreamSocket> & { maxFragments: number; closeTimeout: number } = {
      noServer: true,
      clientTracking: false,
      perMessageDeflate: false,
      WebSocket: StreamSocket,
      maxPayload: LIMITS.inboundFrameBytes,
      maxFragments: LIMITS.inboundFragments,
      closeTimeout: CLOSE_TIMEOUT_MS,
    };
    this.server = new Server<typeof StreamSocket>(options);
  }

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, { onConnected, onLeft }: Joining): void {
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = onConnected(new WebSocketTransport(socket as Socket, webSocket));
      webSocket.on('message', (data: Buffer, isBinary) => receive(connection, data, isBinary));
      webSocket.on('ping', () => connection.admit());
      webSocket.on('pong', () => connection.answered());
      // ws closes the socket after every error by itself.
      webSocket.on('error', () => undefined);
      webSocket.once('close', () => onLeft(connection));
    });
  }
}

function receive(connection: StreamConnection, data: Buffer, isBinary: boolean): void {
  if (!connection.admit()) return;
  if (isBinary) connection.close('badRequest', 'binary frame; send JSON as text');
  else connection.receive(parseClientFrame(data.toString(), connection.stream));
}
