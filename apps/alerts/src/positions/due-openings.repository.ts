import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, runBulk } from '../infrastructure/bulk-rows';
import { type DueOpening, type Evaluation, again } from './evaluation';
import { POSITION_COLUMNS, type PositionRow, stateOf } from './positions.repository';

const COLUMNS = columns<DueOpening>(
  { text: ['positionId', 'accountId', 'type'], time: ['dueAtMs'] },
  {
    rule_id: ['text', ({ ruleId }) => ruleId ?? ''],
    request_id: ['text', ({ cause }) => cause.requestId],
    traceparent: ['text', ({ cause }) => cause.traceparent],
  },
);
const INSERT = insertSql('due_openings', COLUMNS, {
  orderBy: ['position_id', 'account_id', 'type', 'rule_id'],
});

/** The correlation of a due opening, and its account. */
interface Cause {
  causedBy: string;
  requestId: string | null;
  traceparent: string | null;
}

/** Stores which positions are evaluated again without an event. */
@Injectable()
export class DueOpeningsRepository {
  /** Replaces all due openings of these positions with `due`. */
  async replace(tx: SqlExecutor, positionIds: readonly string[], due: readonly DueOpening[]): Promise<void> {
    await tx.query('DELETE FROM due_openings WHERE position_id = ANY($1)', [positionIds]);
    await runBulk(tx, INSERT, COLUMNS, due);
  }

  /** Schedules the positions for the poller of due alerts, which evaluates a batch at a time. */
  async defer(tx: SqlExecutor, positionIds: readonly string[], nowMs: number): Promise<void> {
    if (positionIds.length === 0) return;
    await tx.query(
      `INSERT INTO due_openings AS known (position_id, account_id, type, due_at)
       SELECT DISTINCT ON (p.id) p.id, w.account_id, 'health_factor_warning', to_timestamp($2::float8 / 1000)
       FROM positions AS p JOIN watches AS w ON w.wallet = p.wallet AND w.watching
       WHERE p.id = ANY($1) ORDER BY p.id, w.account_id
       ON CONFLICT (position_id, account_id, type, rule_id)
         DO UPDATE SET due_at = least(known.due_at, excluded.due_at)`,
      [positionIds, nowMs],
    );
  }

  /** Returns whether an opening is due. */
  async any(db: SqlExecutor, nowMs: number): Promise<boolean> {
    const { rows } = await db.query<{ due: boolean }>(
      'SELECT EXISTS (SELECT 1 FROM due_openings WHERE due_at <= to_timestamp($1::float8 / 1000)) AS due',
      [nowMs],
    );
    return rows[0]?.due === true;
  }

  /**
   * Locks and returns positions with due openings. Skips a position that another transaction holds: it is
   * being evaluated, and the next poll finds openings that are still due.
   */
  async lock(tx: SqlExecutor, nowMs: number, limit: number): Promise<Evaluation[]> {
    const { rows } = await tx.query<PositionRow & Cause>(
      `SELECT ${POSITION_COLUMNS}, cause.account_id AS "causedBy", cause.request_id AS "requestId", cause.traceparent
       FROM positions AS p, LATERAL (
         SELECT d.account_id, d.request_id, d.traceparent FROM due_openings AS d WHERE d.position_id = p.id ORDER BY d.due_at LIMIT 1
       ) AS cause
       WHERE p.id IN (
         SELECT position_id FROM due_openings WHERE due_at <= to_timestamp($1::float8 / 1000) ORDER BY due_at LIMIT $2
       )
       ORDER BY p.id FOR UPDATE OF p SKIP LOCKED`,
      [nowMs, limit],
    );
    return rows.map(({ causedBy, requestId, traceparent, ...row }) => {
      const cause = { requestId: requestId ?? undefined, traceparent: traceparent ?? undefined };
      return again(stateOf(row), nowMs, cause, causedBy);
    });
  }
}
