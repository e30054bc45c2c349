import type { StreamCloseCode } from '@plimsoll/contracts';
import type { EncodedFrame } from './encoded-frame';

/** The way frames of one connection go: plain WebSocket or Socket.IO. */
export interface Transport {
  readonly isOpen: boolean;
  /** Bytes that were sent and not yet taken by the operating system. */
  readonly unsentBytes: number;
  /** True when little enough waits to leave the process that there is nothing to watch. @param onSent when it has left, or never will */
  send(frame: EncodedFrame, onSent?: () => void): boolean;
  /** Called each time that all of it has left the process after some of it had to wait. */
  onDrain(listener: () => void): void;
  /** Sends a heartbeat, and with it asks the other end for a sign of life; false: the transport sees to that by itself. */
  beat(frame: EncodedFrame): boolean;
  /** @param reason at most 123 bytes */
  close(code: StreamCloseCode, reason: string): void;
  terminate(): void;
}
