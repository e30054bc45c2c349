import { Injectable } from '@nestjs/common';
import { PeriodicService, inTransaction } from '@plimsoll/service-kit';
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
export class PendingNotificationsPoller extends PeriodicService {
  constructor(
    private readonly pool: Pool,
    private readonly watches: WatchesRepository,
    private readonly conditions: AssetConditionsRepository,
    private readonly alerts: AssetAlerts,
  ) {
    super({
      name: 'asset-alerts',
      everyMs: EVERY_MS,
      failure: 'alerts about assets cannot be opened for all holders; the next poll continues in a second',
    });
  }

  /** @returns whether notifications remain */
  protected async round(): Promise<boolean> {
    if (!(await this.conditions.anyPending(this.pool))) return false;
    return inTransaction(this.pool, async (tx) => {
      await this.watches.lockForReading(tx);
      const assets = await this.conditions.lockPending(tx);
      if (assets.length === 0) return false;
      return this.alerts.alignEveryone(tx, new Map(assets.map((asset) => [asset, {}])));
    });
  }
}
