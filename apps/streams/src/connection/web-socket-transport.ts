import type { Socket } from 'node:net';
import { STREAM_CLOSE } from '@plimsoll/contracts';
import { WebSocket } from 'ws';
import type { EncodedFrame } from './encoded-frame';
import type { Transport } from './transport';
import type { StreamConnection } from './stream-connection';

/** Close codes of ws itself: protocol error, inconsistent data, policy, too big. */
const PROTOCOL_CODES = new Set([1002, 1007, 1008, 1009]);

/** A client that breaks the protocol receives a code that means: do not repeat this. */
export class StreamSocket extends WebSocket {
  /** Its stream, or null before. */
  connection: StreamConnection | null = null;
  /** Notified when either end begins to close. */
  transport: { closes(): void } | null = null;

  override close(code?: number, reason?: string | Buffer): void {
    this.transport?.closes();
    if (code !== undefined && PROTOCOL_CODES.has(code))
      super.close(STREAM_CLOSE.badRequest, 'protocol error');
    else super.close(code, reason);
  }
}

/** A ping without a payload (RFC 6455, 5.5.2). */
const PING = Buffer.from([0x89, 0]);

/** Plain WebSocket. Events bypass ws as frames that are encoded once for all receivers. */
export class WebSocketTransport implements Transport {
  private isClosing = false;

  /** @param socket socket of the WebSocket; without compression every write to it is a complete frame */
  constructor(
    private readonly socket: Socket,
    private readonly webSocket: StreamSocket,
  ) {
    webSocket.transport = this;
  }

  /** No frame may follow the close frame. */
  closes(): void {
    this.isClosing = true;
  }

  /** Kept outside of the WebSocket, because each object that an event reads for each client costs time. */
  get isOpen(): boolean {
    return !this.isClosing && this.socket.writable;
  }

  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  send(frame: EncodedFrame, onSent?: () => void): boolean {
    return onSent ? this.socket.write(frame.webSocket, onSent) : this.socket.write(frame.webSocket);
  }

  onDrain(listener: () => void): void {
    this.socket.on('drain', listener);
  }

  beat(frame: EncodedFrame): boolean {
    // One write, because heartbeats are most of the cost of idle connections.
    this.socket.write(Buffer.concat([frame.webSocket, PING]));
    return true;
  }

  close(code: number, reason: string): void {
    this.webSocket.close(code, reason);
  }

  terminate(): void {
    this.webSocket.terminate();
  }
}
