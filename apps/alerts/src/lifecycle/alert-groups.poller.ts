import { Injectable, type BeforeApplicationShutdown, type OnApplicationBootstrap } from '@nestjs/common';
import { PeriodicTask, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertGroups } from './alert-groups.service';

const EVERY_MS = 250;
/** Most groups in one transaction. Each reads its alerts. */
const LIMIT = 50;

/**
 * Closes groups of alerts that are complete. Any number of instances may poll. After a crash the groups stay
 * due.
 */
@Injectable()
export class AlertGroupsPoller implements OnApplicationBootstrap, BeforeApplicationShutdown {
  private readonly task: PeriodicTask;

  constructor(pool: Pool, groups: AlertGroups) {
    this.task = new PeriodicTask({
      name: 'alert-groups',
      everyMs: EVERY_MS,
      round: () => inTransaction(pool, (tx) => groups.closeDue(tx, LIMIT)),
      failure: 'groups of alerts cannot be closed; the next poll tries again',
    });
  }

  onApplicationBootstrap(): void {
    this.task.start();
  }

  beforeApplicationShutdown(): Promise<void> {
    return this.task.stop();
  }
}
