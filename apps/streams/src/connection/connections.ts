import { Injectable } from '@nestjs/common';
import { STREAMS, type StreamName } from '@plimsoll/contracts';
import { openConnections, openSubscriptions } from '../metrics';
import type { FilterSubject } from '../log/stream-filter';
import { SubscriptionIndex } from './subscription-index';
import type { StreamConnection, Subscription } from './stream-connection';

/** Gives each open connection a small number, in the order of arrival when no freed number is available. */
export class ConnectionSlots {
  private readonly taken: (StreamConnection | undefined)[] = [];
  private readonly free: number[] = [];

  acquire(connection: StreamConnection): number {
    const slot = this.free.pop() ?? this.taken.length;
    this.taken[slot] = connection;
    return slot;
  }

  release(slot: number): void {
    this.taken[slot] = undefined;
    this.free.push(slot);
  }

  /** Undefined after the connection has left. */
  at(slot: number): StreamConnection | undefined {
    return this.taken[slot];
  }
}

interface AccountConnections {
  readonly connections: Set<StreamConnection>;
  /** Subscriptions that receive each event immediately. */
  readonly live: SubscriptionIndex<Subscription>;
}

/** The open connections of this instance and their live subscriptions, by stream and account. */
@Injectable()
export class Connections {
  private readonly byAccount = Object.fromEntries(
    STREAMS.map((stream) => [stream, new Map<string, AccountConnections>()]),
  ) as Record<StreamName, Map<string, AccountConnections>>;
  private readonly slots = new ConnectionSlots();

  of(accountId: string): StreamConnection[] {
    return STREAMS.flatMap((stream) => [...(this.byAccount[stream].get(accountId)?.connections ?? [])]);
  }

  /** Calls `visit` with each connection, which may close it. */
  each(visit: (connection: StreamConnection) => void): void {
    for (const stream of STREAMS) {
      for (const { connections } of this.byAccount[stream].values()) {
        for (const connection of connections) visit(connection);
      }
    }
  }

  get areNone(): boolean {
    return STREAMS.every((stream) => this.byAccount[stream].size === 0);
  }

  /** Undefined after the connection has left. */
  at(slot: number): StreamConnection | undefined {
    return this.slots.at(slot);
  }

  accountsOf(stream: StreamName): Iterable<string> {
    return this.byAccount[stream].keys();
  }

  add(connection: StreamConnection): void {
    const { stream, accountId } = connection;
    connection.slot = this.slots.acquire(connection);
    const account = this.byAccount[stream].get(accountId);
    if (account) account.connections.add(connection);
    else {
      const live = new SubscriptionIndex<Subscription>();
      this.byAccount[stream].set(accountId, { connections: new Set([connection]), live });
    }
    openConnections.inc({ stream });
  }

  remove(connection: StreamConnection): void {
    const { stream, accountId } = connection;
    const account = this.byAccount[stream].get(accountId);
    if (!account?.connections.delete(connection)) return;
    for (const subscription of connection.all()) {
      account.live.remove(subscription);
      openSubscriptions.dec({ stream });
    }
    if (account.connections.size === 0) this.byAccount[stream].delete(accountId);
    this.slots.release(connection.slot);
    openConnections.dec({ stream });
  }

  goLive(subscription: Subscription): void {
    subscription.upTo = null;
    const account = this.accountOf(subscription);
    // The connection may have closed meanwhile.
    if (account?.connections.has(subscription.connection)) {
      account.live.add(subscription, subscription.connection.slot);
    }
  }

  /** The subscription receives no further events. It may already be suspended. */
  suspend(subscription: Subscription): void {
    this.accountOf(subscription)?.live.remove(subscription);
  }

  /**
   * Calls `visit` with the connection’s slot for each live subscription of the account that matches the
   * event.
   */
  match(stream: StreamName, accountId: string, subject: FilterSubject, visit: (slot: number) => void): void {
    this.byAccount[stream].get(accountId)?.live.match(subject, visit);
  }

  private accountOf({ connection }: Subscription): AccountConnections | undefined {
    return this.byAccount[connection.stream].get(connection.accountId);
  }
}
