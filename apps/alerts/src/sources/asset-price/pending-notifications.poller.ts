import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../../accounts/watches.repository';
import { AssetAlerts } from './asset-alerts.service';
import { AssetConditionsRepository } from './asset-conditions.repository';

const EVERY_MS = 1_000;

/**
 * Notifies the holders of an asset that exceeded the transaction of its price. Any number of instances may
 * poll.
 */
@Injectable()
export class PendingNotificationsPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask({
    name: 'asset-alerts',
    everyMs: EVERY_MS,
    round: () => this.notify(),
    failure: 'alerts about assets cannot be opened for all holders; the next poll continues in a second',
  });

  constructor(
    private readonly pool: Pool,
    private readonly watches: WatchesRepository,
    private readonly conditions: AssetConditionsRepository,
    private readonly alerts: AssetAlerts,
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
      const assets = await this.conditions.lockPending(tx);
      if (assets.length === 0) return false;
      return this.alerts.alignEveryone(tx, new Map(assets.map((asset) => [asset, {}])));
    });
  }
}
