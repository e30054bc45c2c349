import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { WatchesRepository } from '../watching/watches.repository';
import { AssetAlerts } from './asset-alerts.service';
import { AssetConditionsRepository } from './asset-conditions.repository';

const EVERY_MS = 1_000;

/** Tells those who hold an asset and were too many for the transaction of its price. Any number of instances may poll. */
@Injectable()
export class TellingPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task = new PeriodicTask({
    name: 'asset-alerts',
    everyMs: EVERY_MS,
    round: () => this.tell(),
    failure: 'alerts about assets cannot be opened for everyone; it goes on in a second',
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

  /** @returns whether there are more to be told */
  private tell(): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      const assets = await this.conditions.lockTelling(tx);
      if (assets.length === 0) return false;
      return this.alerts.alignEveryone(tx, new Map(assets.map((asset) => [asset, {}])));
    });
  }
}
