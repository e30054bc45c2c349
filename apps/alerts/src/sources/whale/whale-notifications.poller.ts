import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../../accounts/watches.repository';
import { WhaleAlerts } from './whale-alerts.service';

const EVERY_MS = 1_000;

/** Notifies accounts that exceeded the transaction of a move's event. Any number of instances may poll. */
@Injectable()
export class WhaleNotificationsPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask({
    name: 'whale-alerts',
    everyMs: EVERY_MS,
    round: () => this.notify(),
    failure: 'alerts about whales cannot be opened for all accounts; the next poll continues in a second',
  });

  constructor(
    private readonly pool: Pool,
    private readonly watches: WatchesRepository,
    private readonly alerts: WhaleAlerts,
  ) {}

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }

  /** @returns whether notifications remain */
  private notify(): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      return this.alerts.notifyPending(tx);
    });
  }
}
