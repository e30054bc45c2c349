import { Injectable } from '@nestjs/common';
import { PeriodicService, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../../accounts/watches.repository';
import { WhaleAlerts } from './whale-alerts.service';

const EVERY_MS = 1_000;

/** Notifies accounts that exceeded the transaction of a move's event. Any number of instances may poll. */
@Injectable()
export class WhaleNotificationsPoller extends PeriodicService {
  constructor(
    private readonly pool: Pool,
    private readonly watches: WatchesRepository,
    private readonly alerts: WhaleAlerts,
  ) {
    super({
      name: 'whale-alerts',
      everyMs: EVERY_MS,
      failure: 'alerts about whales cannot be opened for all accounts; the next poll continues in a second',
    });
  }

  /** @returns whether notifications remain */
  protected async round(): Promise<boolean> {
    if (!(await this.alerts.hasPending(this.pool))) return false;
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      return this.alerts.notifyPending(tx);
    });
  }
}
