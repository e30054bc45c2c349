import type { StreamConnection } from '../connection/stream-connection';
import type { Transport } from '../connection/transport';

/** Called when the protocol's handshake is done, of an upgrade that was admitted. */
export type OnConnected = (transport: Transport) => StreamConnection;

/** Called when a client is gone. */
export type OnLeft = (connection: StreamConnection) => void;
