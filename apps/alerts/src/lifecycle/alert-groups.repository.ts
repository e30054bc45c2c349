import { Injectable } from '@nestjs/common';
import type { AlertGroupCause, Correlation } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, runBulk } from '../infrastructure/bulk-rows';
import type { GroupedAlert } from './alert-group';

/** An alert that joins the group of its cause. */
export interface GroupMember {
  groupId: string;
  accountId: string;
  alertId: string;
  groupCause: AlertGroupCause;
  cause: Correlation;
}

/** A group that is complete. */
export interface DueGroup {
  id: string;
  accountId: string;
  cause: AlertGroupCause;
  memberCount: number;
  requestId: string | null;
  traceparent: string | null;
}

const GROUP = columns<GroupMember & { dueAtMs: number }>(
  { text: ['accountId'], time: ['dueAtMs'] },
  {
    id: ['text', ({ groupId }) => groupId],
    cause: ['jsonb', ({ groupCause }) => groupCause],
    request_id: ['text', ({ cause }) => cause.requestId],
    traceparent: ['text', ({ cause }) => cause.traceparent],
  },
);
const OPEN = insertSql('alert_groups', GROUP, { orderBy: ['id'], onConflict: 'ON CONFLICT DO NOTHING' });

/** Stores groups of alerts until their notification is built. */
@Injectable()
export class AlertGroupsRepository {
  /**
   * Adds members to groups. A closed group accepts no more.
   * @param dueAtMs when a new group is complete
   */
  async join(tx: SqlExecutor, members: readonly GroupMember[], dueAtMs: number): Promise<void> {
    if (members.length === 0) return;
    const groups = new Map(members.map((member) => [member.groupId, { ...member, dueAtMs }]));
    await runBulk(tx, OPEN, GROUP, [...groups.values()]);
    await tx.query(
      `INSERT INTO alert_group_members (group_id, alert_id)
       SELECT member.group_id, member.alert_id
       FROM unnest($1::text[], $2::text[]) AS member (group_id, alert_id)
       JOIN alert_groups AS g ON g.id = member.group_id AND g.closed_at IS NULL
       ON CONFLICT DO NOTHING`,
      [members.map(({ groupId }) => groupId), members.map(({ alertId }) => alertId)],
    );
  }

  /** Returns when the next group is complete (milliseconds since 1970, null: none), and whether one was closed before `beforeMs`. */
  async next(db: SqlExecutor, beforeMs: number): Promise<{ dueAtMs: number | null; hasOld: boolean }> {
    const { rows } = await db.query<{ dueAtMs: number | null; hasOld: boolean }>(
      `SELECT (SELECT (extract(epoch FROM min(due_at)) * 1000)::float8 FROM alert_groups WHERE closed_at IS NULL) AS "dueAtMs",
         EXISTS (SELECT FROM alert_groups WHERE closed_at < to_timestamp($1::float8 / 1000)) AS "hasOld"`,
      [beforeMs],
    );
    return rows[0] ?? { dueAtMs: null, hasOld: false };
  }

  /** Closes and returns complete groups. Skips groups that another instance is closing. */
  async closeDue(tx: SqlExecutor, nowMs: number, limit: number): Promise<DueGroup[]> {
    const { rows } = await tx.query<DueGroup>(
      `UPDATE alert_groups SET closed_at = to_timestamp($1::float8 / 1000) WHERE id IN (
         SELECT id FROM alert_groups WHERE closed_at IS NULL AND due_at <= to_timestamp($1::float8 / 1000)
         ORDER BY due_at LIMIT $2 FOR UPDATE SKIP LOCKED)
       RETURNING id, account_id AS "accountId", cause, request_id AS "requestId", traceparent,
         (SELECT count(*)::int FROM alert_group_members WHERE group_id = alert_groups.id) AS "memberCount"`,
      [nowMs, limit],
    );
    return rows;
  }

  /** Omits the parts of the content that a notification does not list. */
  async alertsOf(tx: SqlExecutor, groupId: string): Promise<GroupedAlert[]> {
    const { rows } = await tx.query<GroupedAlert>(
      `SELECT a.id AS "alertId", a.type, a.severity, a.title, a.asset,
         a.content - '{remedies,affectedPositions,confidenceBasis,cause}'::text[] AS content
       FROM alert_group_members AS m JOIN alerts AS a ON a.id = m.alert_id WHERE m.group_id = $1`,
      [groupId],
    );
    return rows;
  }

  /** Deletes some of the groups that were closed before. Returns whether more may remain. */
  async forgetClosed(tx: SqlExecutor, beforeMs: number): Promise<boolean> {
    const { rowCount } = await tx.query(
      `DELETE FROM alert_groups WHERE id IN (
         SELECT id FROM alert_groups WHERE closed_at < to_timestamp($1::float8 / 1000) LIMIT 1000)`,
      [beforeMs],
    );
    return rowCount === 1_000;
  }
}
