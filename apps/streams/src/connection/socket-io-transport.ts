import type { Socket as TcpSocket } from 'node:net';
import type { StreamCloseCode, StreamServerFrame } from '@plimsoll/contracts';
import type { Socket } from 'socket.io';
import { EncodedFrame } from './encoded-frame';
import type { Transport } from './transport';

/**
 * Socket.IO over WebSocket. Frames bypass it, encoded once for all receivers. Its own packets (the handshake,
 * pings) are complete WebSocket messages too, so the two do not mix. Its clients see no close codes, so a
 * last frame reports them.
 */
export class SocketIoTransport implements Transport {
  constructor(
    private readonly socket: Socket,
    private readonly tcp: TcpSocket,
  ) {}

  get isOpen(): boolean {
    return this.socket.connected && this.tcp.writable;
  }

  get unsentBytes(): number {
    return this.tcp.writableLength;
  }

  send(frame: EncodedFrame, onSent?: () => void): boolean {
    return onSent ? this.tcp.write(frame.socketIo, onSent) : this.tcp.write(frame.socketIo);
  }

  onDrain(listener: () => void): void {
    this.tcp.on('drain', listener);
  }

  beat(frame: EncodedFrame): boolean {
    this.send(frame);
    return false;
  }

  close(code: StreamCloseCode, reason: string): void {
    const frame: StreamServerFrame = { type: 'closing', code, message: reason };
    this.send(new EncodedFrame('closing', JSON.stringify(frame)));
    this.socket.disconnect(true);
  }

  terminate(): void {
    this.tcp.destroy();
  }
}
