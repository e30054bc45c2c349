import type { StreamConnection } from '../connection/stream-connection';
import type { Transport } from '../connection/transport';

/** Called after the protocol's handshake of an admitted upgrade. */
export type OnConnected = (transport: Transport) => StreamConnection;

/** Called after a client has disconnected. */
export type OnClosed = (connection: StreamConnection) => void;
