import type { StreamCloseCode } from '@plimsoll/contracts';
import type { EncodedFrame } from './encoded-frame';

/** How frames of one connection are sent: plain WebSocket or Socket.IO. */
export interface Transport {
  readonly isOpen: boolean;
  /** Bytes that were sent and not yet accepted by the operating system. */
  readonly unsentBytes: number;
  /**
   * Returns true while little data waits to leave the process.
   * @param onSent called when it has left the process, or never will
   */
  send(frame: EncodedFrame, onSent?: () => void): boolean;
  /** Calls the listener each time that waiting data has left the process. */
  onDrain(listener: () => void): void;
  /**
   * Sends a heartbeat and requires a pong from the client. Returns false when the transport itself does that.
   */
  beat(frame: EncodedFrame): boolean;
  /** @param reason at most 123 bytes */
  close(code: StreamCloseCode, reason: string): void;
  terminate(): void;
}
