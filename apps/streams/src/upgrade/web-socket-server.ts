import type { IncomingMessage } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { type RawData, type ServerOptions, type WebSocket, WebSocketServer as Server } from 'ws';
import { parseClientFrame } from '../connection/client-frame';
import type { OnConnected, OnClosed } from './joining';
import { StreamSocket, WebSocketTransport } from '../connection/web-socket-transport';
import { LIMITS } from '../limits';

/**
 * A client that receives a close frame may still have to read earlier data. After this time its socket is
 * closed.
 */
const CLOSE_TIMEOUT_MS = 30_000;

/** Serves plain WebSocket on admitted upgrades. */
export class WebSocketServer {
  private readonly server;

  /** @param onClosed called with each connection of this server that has ended */
  constructor(private readonly onClosed: OnClosed) {
    // The published types of ws do not contain the last two yet.
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

  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, onConnected: OnConnected): void {
    this.server.handleUpgrade(request, socket, head, (webSocket) => {
      const connection = onConnected(new WebSocketTransport(socket as Socket, webSocket));
      webSocket.connection = connection;
      webSocket.on('message', onMessage);
      webSocket.on('ping', onPing);
      webSocket.on('pong', onPong);
      webSocket.on('error', ignore);
      webSocket.once('close', () => this.onClosed(connection));
    });
  }
}

// One function for all connections, because there may be ten thousand.
function onMessage(this: WebSocket, data: RawData, isBinary: boolean): void {
  const { connection } = this as StreamSocket;
  if (!connection?.admit()) return;
  if (isBinary) connection.close('badRequest', 'binary frame; send JSON as text');
  else connection.receive(parseClientFrame((data as Buffer).toString(), connection.stream));
}

function onPing(this: WebSocket): void {
  (this as StreamSocket).connection?.admit();
}

function onPong(this: WebSocket): void {
  (this as StreamSocket).connection?.pongReceived();
}

/** ws itself closes the socket after every error. */
function ignore(): void {}
