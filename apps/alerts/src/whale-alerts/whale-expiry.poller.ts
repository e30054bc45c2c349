import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertsConfig } from '../config';
import { WhaleAlerts } from './whale-alerts.service';

/** Alerts of one transaction. */
const LIMIT = 200;

/** Resolves alerts about moves that are some time ago. Any number of instances may poll. */
@Injectable()
export class WhaleExpiryPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(pool: Pool, config: AlertsConfig, alerts: WhaleAlerts) {
    this.task = new PeriodicTask({
      name: 'whale-expiry',
      everyMs: config.WHALE_EXPIRY_POLL_MS,
      round: () => inTransaction(pool, (tx) => alerts.expire(tx, LIMIT)),
      failure: 'alerts about whales cannot be resolved; tried again',
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
