import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertsConfig } from '../config';
import { ExecutionAlerts } from '../sources/execution/execution-alerts.service';
import { WhaleAlerts } from '../sources/whale/whale-alerts.service';

/** Most alerts of one type in one transaction. */
const LIMIT = 200;

/**
 * Resolves alerts whose time is over: whale moves and failed executions. Any number of instances may poll.
 */
@Injectable()
export class ExpiryPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(pool: Pool, config: AlertsConfig, whales: WhaleAlerts, executions: ExecutionAlerts) {
    this.task = new PeriodicTask({
      name: 'alert-expiry',
      everyMs: config.WHALE_EXPIRY_POLL_MS,
      round: () =>
        inTransaction(pool, async (tx) => {
          const more = [await whales.expire(tx, LIMIT), await executions.expire(tx, LIMIT)];
          return more.includes(true);
        }),
      failure: 'expired alerts cannot be resolved; the next poll tries again',
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
