import type { StreamConnection } from '../connection/stream-connection';
import type { Transport } from '../connection/transport';

/** What becomes of an upgrade that was admitted. */
export interface Joining {
  /** The protocol's handshake is done. */
  onConnected(transport: Transport): StreamConnection;
  onLeft(connection: StreamConnection): void;
}
