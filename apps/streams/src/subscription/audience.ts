import { Injectable } from '@nestjs/common';
import type { StreamName } from '@plimsoll/contracts';
import { Connections } from '../connection/connections';
import type { StreamEvent } from '../log/stream-event';
import { Watches } from '../log/watches';

/**
 * Decides which accounts may see an event: its own account, those that watch the wallet of its position, or
 * all.
 */
@Injectable()
export class Audience {
  constructor(
    private readonly watches: Watches,
    private readonly connections: Connections,
  ) {}

  /**
   * Returns the accounts that may receive the event. For an event for all, those with connections on this
   * instance.
   */
  of(stream: StreamName, { accountId, isForAll, subject }: StreamEvent): Iterable<string> {
    if (isForAll) return this.connections.accountsOf(stream);
    if (accountId !== null) return [accountId];
    return subject.position ? this.watches.accountsOf(subject.position.wallet) : [];
  }

  includes(accountId: string, event: StreamEvent): boolean {
    if (event.isForAll) return true;
    if (event.accountId !== null) return event.accountId === accountId;
    const { position } = event.subject;
    return position !== null && this.watches.accountsOf(position.wallet).has(accountId);
  }
}
