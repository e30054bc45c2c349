import { Injectable } from '@nestjs/common';
import type { StreamEvent } from '../log/stream-event';
import { Watches } from '../log/watches';

/** Who may see an event: the account it belongs to, or those that watch the wallet of its position. */
@Injectable()
export class Audience {
  constructor(private readonly watches: Watches) {}

  of({ accountId, subject }: StreamEvent): Iterable<string> {
    if (accountId !== null) return [accountId];
    return subject.position ? this.watches.accountsOf(subject.position.wallet) : [];
  }

  includes(accountId: string, event: StreamEvent): boolean {
    if (event.accountId !== null) return event.accountId === accountId;
    const { position } = event.subject;
    return position !== null && this.watches.accountsOf(position.wallet).has(accountId);
  }
}
