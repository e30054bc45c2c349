import { setTimeout as delay } from 'node:timers/promises';
import { type BeforeApplicationShutdown, Injectable, type OnApplicationBootstrap } from '@nestjs/common';
import { STREAMS, type StreamName } from '@plimsoll/contracts';
import { StreamsConfig } from '../config';
import { LIMITS } from '../limits';
import { EndedAccess, type Ending, type Holder } from '../log/ended-access';
import { Logs } from '../log/logs';
import { unsentBytes } from '../metrics';
import { Resumption } from '../subscription/resumption';
import { Connections } from '../connection/connections';
import { FilterNames } from '../connection/filter-names';
import { type ConnectionContext, StreamConnection } from '../connection/stream-connection';
import type { Transport } from '../connection/transport';

/** Longest time until an end is noticed after its event. Streams close within a second of the cause. */
const ENDINGS_MS = 250;
/**
 * All connections are checked this often, or four times between heartbeats. Each check finds its data outside
 * of the processor's cache.
 */
const SWEEP_MS = 2_000;
const ENDED: Record<Ending, string> = {
  keyRotated: 'the key was replaced; reconnect with the new one',
  keyRevoked: 'the key was revoked or has expired; use another one',
  sessionEnded: 'the session has ended; log in again',
  accountEnded: 'the account has ended',
  forbidden: 'the tier of the account no longer has streams; raise it',
};
const DRAIN_POLL_MS = 10;

/** Admits clients, checks them regularly, and disconnects them when the service stops. */
@Injectable()
export class Clients implements OnApplicationBootstrap, BeforeApplicationShutdown {
  isDraining = false;
  private readonly contexts: Record<StreamName, ConnectionContext>;
  private sweep: NodeJS.Timeout | undefined;
  private endings: NodeJS.Timeout | undefined;

  constructor(
    private readonly config: StreamsConfig,
    private readonly connections: Connections,
    private readonly endedAccess: EndedAccess,
    logs: Logs,
    resumption: Resumption,
    filterNames: FilterNames,
  ) {
    const contextOf = (stream: StreamName): ConnectionContext => ({
      stream,
      heartbeatMs: config.HEARTBEAT_MS,
      now: () => performance.now(),
      cursor: () => logs.of(stream).cursor,
      addressesOf: (filter, accountId) => filterNames.addressesOf(filter, accountId),
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
    this.endings = setInterval(() => this.closeEnded(), ENDINGS_MS).unref();
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
    clearInterval(this.endings);
  }

  /**
   * @param hasSlot false when the connection exceeds the account's limit; it is then closed with that reason
   */
  connect(transport: Transport, stream: StreamName, holder: Holder, hasSlot: boolean): StreamConnection {
    const connection = new StreamConnection(transport, holder, this.contexts[stream]);
    // The access may have ended while the client waited for admission.
    if (this.closeIfEnded(connection, Date.now())) return connection;
    if (!hasSlot) {
      connection.close('connectionLimit', `${LIMITS.connectionsPerAccount} connections are open; close one`);
    } else this.connections.add(connection);
    transport.onDrain(() => connection.drained());
    return connection;
  }

  left(connection: StreamConnection): void {
    this.connections.remove(connection);
  }

  private closeEnded(): void {
    const nowMs = Date.now();
    if (!this.endedAccess.hasEndings(nowMs)) return;
    this.connections.each((connection) => this.closeIfEnded(connection, nowMs));
  }

  private closeIfEnded(connection: StreamConnection, nowMs: number): boolean {
    const ending = this.endedAccess.endingOf(connection, connection.stream, nowMs);
    if (ending) connection.close(ending, ENDED[ending]);
    return ending !== null;
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
