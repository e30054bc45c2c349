import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { STREAMS, type Identity, type StreamName } from '@plimsoll/contracts';
import { StreamsConfig } from '../config';
import { LIMITS } from '../limits';
import { EndedKeys } from '../log/ended-keys';
import { Logs } from '../log/logs';
import { unsentBytes } from '../metrics';
import { Resumption } from '../subscription/resumption';
import { Connections } from './connections';
import { type ConnectionContext, StreamConnection } from './stream-connection';
import type { Transport } from './transport';

/** Looks over all connections at least this often: a key that has ended is noticed within it. */
const SWEEP_MS = 500;
const KEY_ENDED = {
  keyRotated: 'the key was replaced; reconnect with the new one',
  keyRevoked: 'the key was revoked or has expired; use another one',
};
const DRAIN_POLL_MS = 10;

/** Takes clients in, looks after them, and lets them go when the service stops. */
@Injectable()
export class Clients implements OnApplicationBootstrap, BeforeApplicationShutdown {
  isDraining = false;
  private readonly contexts: Record<StreamName, ConnectionContext>;
  private sweep: NodeJS.Timeout | undefined;

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
    this.sweep = setInterval(() => this.lookAfter(), sweepMs).unref();
  }

  /** Clients are told to come back, to another instance, spread over a while. */
  async beforeApplicationShutdown(): Promise<void> {
    this.isDraining = true;
    this.connections.each((connection) =>
      connection.drain(Math.round(Math.random() * this.config.RECONNECT_SPREAD_MS)),
    );
    const deadline = performance.now() + this.config.CLOSE_DEADLINE_MS;
    while (!this.connections.areNone && performance.now() < deadline) await delay(DRAIN_POLL_MS);
    this.connections.each((connection) => connection.terminate());
    clearInterval(this.sweep);
  }

  /** @param hasPlace false: the connection is above the account's limit; it is told so and closed */
  connect(transport: Transport, stream: StreamName, identity: Identity, hasPlace: boolean): StreamConnection {
    const connection = new StreamConnection(transport, identity, this.contexts[stream]);
    if (!hasPlace) {
      connection.close('connectionLimit', `${LIMITS.connectionsPerAccount} connections are open; close one`);
    } else this.connections.add(connection);
    transport.onDrain(() => connection.drained());
    return connection;
  }

  left(connection: StreamConnection): void {
    this.connections.remove(connection);
  }

  private lookAfter(): void {
    const unsent: Record<StreamName, number> = { positions: 0, alerts: 0, whales: 0 };
    const nowMs = Date.now();
    const monotonicMs = performance.now();
    this.connections.each((connection) => {
      const ending = this.endedKeys.endingOf(connection.keyId, nowMs);
      if (ending) connection.close(ending, KEY_ENDED[ending]);
      else connection.tick(monotonicMs);
      unsent[connection.stream] += connection.unsentBytes;
    });
    for (const stream of STREAMS) unsentBytes.set({ stream }, unsent[stream]);
  }
}
