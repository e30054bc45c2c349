import { Injectable } from '@nestjs/common';
import { PeriodicService, type RoundResult, inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { AlertGroups } from './alert-groups.service';

/** After a round that closed groups or failed. */
const EVERY_MS = 250;
/** Most groups in one transaction. Each reads its alerts. */
const LIMIT = 50;

/**
 * Closes groups of alerts that are complete. Any number of instances may poll. After a crash the groups stay
 * due.
 */
@Injectable()
export class AlertGroupsPoller extends PeriodicService {
  constructor(
    private readonly pool: Pool,
    private readonly groups: AlertGroups,
  ) {
    super({
      name: 'alert-groups',
      everyMs: EVERY_MS,
      failure: 'groups of alerts cannot be closed; the next poll tries again',
    });
  }

  protected async round(): Promise<RoundResult> {
    const nextInMs = await this.groups.dueInMs(this.pool);
    if (nextInMs > 0) return { nextInMs };
    return inTransaction(this.pool, (tx) => this.groups.closeDue(tx, LIMIT));
  }
}
