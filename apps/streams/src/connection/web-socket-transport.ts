import type { Socket } from 'node:net';
import type { EncodedFrame } from './encoded-frame';
import type { StreamSocket } from './stream-socket';
import type { Transport } from './transport';

/** Plain WebSocket. Events are written past ws, as frames that were made once for all who get them. */
export class WebSocketTransport implements Transport {
  /** @param socket what the WebSocket was made of; without compression every write to it is a whole frame */
  constructor(
    readonly webSocket: StreamSocket,
    private readonly socket: Socket,
  ) {}

  get isOpen(): boolean {
    return this.webSocket.readyState === this.webSocket.OPEN;
  }

  get unsentBytes(): number {
    return this.socket.writableLength;
  }

  send(frame: EncodedFrame, onSent?: () => void): void {
    if (onSent) this.socket.write(frame.webSocket, onSent);
    else this.socket.write(frame.webSocket);
  }

  onDrain(listener: () => void): void {
    this.socket.on('drain', listener);
  }

  ping(): boolean {
    this.webSocket.ping();
    return true;
  }

  close(code: number, reason: string): void {
    this.webSocket.close(code, reason);
  }

  terminate(): void {
    this.webSocket.terminate();
  }
}
