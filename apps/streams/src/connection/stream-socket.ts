import { STREAM_CLOSE } from '@plimsoll/contracts';
import { WebSocket } from 'ws';
import type { StreamConnection } from './stream-connection';
import type { WebSocketTransport } from './web-socket-transport';

/** What ws closes with by itself: protocol error, data not consistent, policy, too big. */
const PROTOCOL_CODES = new Set([1002, 1007, 1008, 1009]);

/** A client that breaks the protocol is told with the code of decisions.md, which means: do not try again like that. */
export class StreamSocket extends WebSocket {
  /** What it carries; null: nothing yet. */
  connection: StreamConnection | null = null;
  /** Told when the closing begins, from whichever end. */
  transport: WebSocketTransport | null = null;

  override close(code?: number, reason?: string | Buffer): void {
    this.transport?.closes();
    if (code !== undefined && PROTOCOL_CODES.has(code))
      super.close(STREAM_CLOSE.badRequest, 'protocol error');
    else super.close(code, reason);
  }
}
