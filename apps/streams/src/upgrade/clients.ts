import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { STREAMS, type Identity, type StreamName } from '@plimsoll/contracts';
import { StreamsConfig } from '../config';
import { LIMITS } from '../limits';
import { EndedKeys } from '../log/ended-keys';
import { Logs } from '../log/logs';
import { unsentBytes } from '../metrics';
import { Resumption } from '../subscription/resumption';
import { Connections } from '../connection/connections';
import { type ConnectionContext, StreamConnection } from '../connection/stream-connection';
import type { Transport } from '../connection/transport';

/** Longest time until an ended key is noticed. */
const KEYS_MS = 500;
/**
 * All connections are checked this often, or four times between heartbeats. Each check finds its data outside
 * of the processor's cache.
 */
const SWEEP_MS = 2_000;
const KEY_ENDED = {
  keyRotated: 'the key was replaced; reconnect with the new one',
  keyRevoked: 'the key was revoked or has expired; use another one',
};
const DRAIN_POLL_MS = 10;

/** Admits clients, checks them regularly, and disconnects them when the service stops. */
@Injectable()
export class Clients implements OnApplicationBootstrap, BeforeApplicationShutdown {
  isDraining = false;
  private readonly contexts: Record<StreamName, ConnectionContext>;
  private sweep: NodeJS.Timeout | undefined;
  private keys: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: StreamsConfig,
    private readonly connections: Connections,
    private readonly endedKeys: EndedKeys,
    logs: Logs,
    resumption: Resumption,
  ) {
    const contextOf = (stream: StreamName): ConnectionContext => ({
      stream,
      heartbeatMs: config.HEARTBEAT_MS,
      now: () => performance.now(),
      cursor: () => logs.of(stream).cursor,
      onSubscribed: (subscription, since) => resumption.begin(subscription, since),
      onUnsubscribed: (subscription) => connections.suspend(subscription),
    });
    this.contexts = Object.fromEntries(STREAMS.map((stream) => [stream, contextOf(stream)])) as Record<
      StreamName,
      ConnectionContext
    >;
  }

  onApplicationBootstrap(): void {
    const sweepMs = Math.min(SWEEP_MS, this.config.HEARTBEAT_MS / 4);
    this.sweep = setInterval(() => this.maintain(), sweepMs).unref();
    this.keys = setInterval(() => this.closeEnded(), KEYS_MS).unref();
  }

  /** Sends clients a request to reconnect to another instance, spread over a period. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isDraining = true;
    this.connections.each((connection) =>
      connection.drain(Math.round(Math.random() * this.config.RECONNECT_SPREAD_MS)),
    );
    const deadline = performance.now() + this.config.CLOSE_DEADLINE_MS;
    while (!this.connections.areNone && performance.now() < deadline) await delay(DRAIN_POLL_MS);
    this.connections.each((connection) => connection.terminate());
    clearInterval(this.sweep);
    clearInterval(this.keys);
  }

  /**
   * @param hasSlot false when the connection exceeds the account's limit; it is then closed with that reason
   */
  connect(
    transport: Transport,
    stream: StreamName,
    identity: Pick<Identity, 'accountId' | 'keyId'>,
    hasSlot: boolean,
  ): StreamConnection {
    const connection = new StreamConnection(transport, identity, this.contexts[stream]);
    // The key may have ended while the client waited for admission.
    const ending = this.endedKeys.endingOf(connection.keyId, Date.now());
    if (ending) connection.close(ending, KEY_ENDED[ending]);
    else if (!hasSlot) {
      connection.close('connectionLimit', `${LIMITS.connectionsPerAccount} connections are open; close one`);
    } else this.connections.add(connection);
    transport.onDrain(() => connection.drained());
    return connection;
  }

  left(connection: StreamConnection): void {
    this.connections.remove(connection);
  }

  private closeEnded(): void {
    const ended = this.endedKeys.newlyEnded(Date.now());
    if (ended.size === 0) return;
    this.connections.each((connection) => {
      const ending = ended.get(connection.keyId);
      if (ending) connection.close(ending, KEY_ENDED[ending]);
    });
  }

  private maintain(): void {
    const unsent: Record<StreamName, number> = { positions: 0, alerts: 0, whales: 0 };
    const nowMs = performance.now();
    this.connections.each((connection) => {
      connection.tick(nowMs);
      unsent[connection.stream] += connection.unsentBytes;
    });
    for (const stream of STREAMS) unsentBytes.set({ stream }, unsent[stream]);
  }
}
