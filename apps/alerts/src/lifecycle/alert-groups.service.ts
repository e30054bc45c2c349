import { Injectable } from '@nestjs/common';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { Clock, continueCorrelation } from '@plimsoll/service-kit';
import { alertGroup } from './alert-group';
import { AlertGroupsRepository, type GroupMember } from './alert-groups.repository';
import { AlertsRepository } from './alerts.repository';

/** Alerts of one cause arrive in several batches. The group is complete this long after the first. */
export const GROUP_COMPLETE_MS = 750;
/** A closed group is kept this long, so that a late alert of the same cause does not reopen it. */
const CLOSED_GROUP_RETENTION_MS = 3_600_000;

/** Collects alerts of one cause, and builds one notification for two or more. */
@Injectable()
export class AlertGroups {
  constructor(
    private readonly groups: AlertGroupsRepository,
    private readonly alerts: AlertsRepository,
    private readonly clock: Clock,
  ) {}

  /** Runs in the transaction that writes the alerts. */
  join(tx: SqlExecutor, members: readonly GroupMember[]): Promise<void> {
    return this.groups.join(tx, members, this.clock.now() + GROUP_COMPLETE_MS);
  }

  /** Returns the milliseconds until `closeDue` has something to do, as far as is known. 0: it has now. */
  async dueInMs(db: SqlExecutor): Promise<number> {
    const nowMs = this.clock.now();
    const { dueAtMs, hasOld } = await this.groups.next(db, nowMs - CLOSED_GROUP_RETENTION_MS);
    if (hasOld) return 0;
    // A group that opens meanwhile is complete after this time.
    return Math.max(0, Math.min(GROUP_COMPLETE_MS, (dueAtMs ?? Infinity) - nowMs));
  }

  /**
   * Closes groups that are complete.
   * @returns whether more may be due
   */
  async closeDue(tx: SqlExecutor, limit: number): Promise<boolean> {
    const nowMs = this.clock.now();
    const due = await this.groups.closeDue(tx, nowMs, limit);
    for (const { id, accountId, cause, memberCount, requestId, traceparent } of due) {
      // Most groups have one alert and need no further read.
      if (memberCount < 2) continue;
      const alerts = await this.groups.alertsOf(tx, id);
      await this.alerts.joinGroup(tx, id);
      const value = { accountId, ...alertGroup(id, cause, alerts) };
      const correlation = continueCorrelation(requestId ?? undefined, traceparent ?? undefined);
      await appendToOutbox(tx, [outgoing('alert-group.v1', value, correlation)]);
    }
    const hasOld = await this.groups.forgetClosed(tx, nowMs - CLOSED_GROUP_RETENTION_MS);
    return due.length === limit || hasOld;
  }
}
