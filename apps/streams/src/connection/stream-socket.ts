import { STREAM_CLOSE } from '@plimsoll/contracts';
import { WebSocket } from 'ws';
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
