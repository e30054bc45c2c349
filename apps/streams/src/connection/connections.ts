import { Injectable } from '@nestjs/common';
import type { StreamName } from '@plimsoll/contracts';
import { openConnections } from '../metrics';
import type { StreamConnection } from './stream-connection';

const NONE: ReadonlySet<StreamConnection> = new Set();

/** The open connections of this instance, by stream and account. */
@Injectable()
export class Connections {
  private readonly byAccount: Record<StreamName, Map<string, Set<StreamConnection>>> = {
    positions: new Map(),
    alerts: new Map(),
  };

  of(stream: StreamName, accountId: string): ReadonlySet<StreamConnection> {
    return this.byAccount[stream].get(accountId) ?? NONE;
  }

  countOf(accountId: string): number {
    return this.of('positions', accountId).size + this.of('alerts', accountId).size;
  }

  all(): StreamConnection[] {
    return Object.values(this.byAccount).flatMap((byAccount) =>
      [...byAccount.values()].flatMap((connections) => [...connections]),
    );
  }

  add(connection: StreamConnection): void {
    const { stream, accountId } = connection;
    const connections = this.byAccount[stream].get(accountId) ?? new Set();
    this.byAccount[stream].set(accountId, connections.add(connection));
    openConnections.inc({ stream });
  }

  remove(connection: StreamConnection): void {
    const { stream, accountId } = connection;
    const connections = this.byAccount[stream].get(accountId);
    if (!connections?.delete(connection)) return;
    if (connections.size === 0) this.byAccount[stream].delete(accountId);
    openConnections.dec({ stream });
  }
}
