import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { ISocketFactory } from 'kafkajs';

const KEEP_ALIVE_MS = 30_000;

/**
 * The sockets of one Kafka client. kafkajs leaves Nagle's algorithm on, which can delay a small request by 40
 * ms. It also has no way to stop its retries: `cut` closes every socket and refuses new ones, so that no
 * retry can reach the broker.
 */
export class Sockets {
  readonly #open = new Set<Socket>();
  #cut = false;

  readonly factory: ISocketFactory = ({ host, port, ssl, onConnect }) => {
    if (this.#cut) throw new Error('this Kafka client was closed');
    const socket = ssl
      ? connectTls({ host, port, ...serverName(host), ...ssl }, onConnect)
      : connectTcp({ host, port }, onConnect);
    socket.setNoDelay(true);
    socket.setKeepAlive(true, KEEP_ALIVE_MS);
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Permanent. A new client is needed afterwards. */
  cut(): void {
    this.#cut = true;
    for (const socket of this.#open) socket.destroy(new Error('this Kafka client was closed'));
  }
}

/** A broker behind a proxy is chosen by the name in the handshake, which may not be an address. */
const serverName = (host: string): { servername?: string } => (isIP(host) ? {} : { servername: host });
