import type { Socket } from 'node:net';
import type { EncodedFrame } from './encoded-frame';
import type { StreamSocket } from './stream-socket';
import type { Transport } from './transport';

/** A ping without a payload (RFC 6455, 5.5.2). */
const PING = Buffer.from([0x89, 0]);

/** Plain WebSocket. Events are written past ws, as frames that were made once for all who get them. */
export class WebSocketTransport implements Transport {
  private isClosing = false;

  /** @param socket what the WebSocket was made of; without compression every write to it is a whole frame */
  constructor(
    private readonly socket: Socket,
    private readonly webSocket: StreamSocket,
  ) {
    webSocket.transport = this;
  }

  /** No more of ours goes out behind the close frame. */
  closes(): void {
    this.isClosing = true;
  }

  /** Known without the WebSocket: of each event to each client, every object that is looked at costs. */
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
    // In one write: with many connections at rest the heartbeats are most of what they cost.
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
