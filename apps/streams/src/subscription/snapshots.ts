import { Injectable } from '@nestjs/common';
import type { StreamPosition } from '@plimsoll/contracts';
import type { StreamConnection, Subscription } from '../connection/stream-connection';
import { LIMITS } from '../limits';
import { Positions } from '../log/positions';
import { Watches } from '../log/watches';
import { positionSubject } from '../log/stream-data';

/** Sends the first part of a new subscription to positions: the account's current positions. */
@Injectable()
export class Snapshots {
  constructor(
    private readonly watches: Watches,
    private readonly positions: Positions,
  ) {}

  /**
   * Sends chunk by chunk, each after the previous one has left the process, so that a large account does not
   * look like a slow client. Each position has its state at the creation of its chunk, so it is never older
   * than an event that was sent meanwhile.
   */
  async send(connection: StreamConnection, subscription: Subscription): Promise<void> {
    const ids = [...this.watches.walletsOf(connection.accountId)].flatMap((wallet) =>
      [...this.positions.idsOf(wallet)].filter((id) => this.wanted(id, connection, subscription) !== null),
    );
    for (let start = 0; start === 0 || start < ids.length; start += LIMITS.snapshotChunk) {
      if (!connection.has(subscription)) return;
      const chunk = ids.slice(start, start + LIMITS.snapshotChunk);
      const data = chunk.flatMap((id) => this.wanted(id, connection, subscription) ?? []);
      const last = start + LIMITS.snapshotChunk >= ids.length;
      await connection.sendControlInFull({ type: 'snapshot', id: subscription.id, data, last });
    }
  }

  private wanted(
    id: string,
    { accountId }: StreamConnection,
    subscription: Subscription,
  ): StreamPosition | null {
    const position = this.positions.open(id);
    if (!position || !this.watches.accountsOf(position.wallet).has(accountId)) return null;
    return subscription.filter.fits(positionSubject(position)) ? position : null;
  }
}
