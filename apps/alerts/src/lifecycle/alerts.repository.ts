import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { DueOpening } from './evaluation';
import { STANDING_TYPES } from '../sources/position/collateral-drop-condition';
import { INSERT_ALERTS, UPDATE_ALERTS, insertedValues, updatedValues } from './alert-columns';
import type { AlertRecord } from './alert-record';

const TYPES = [...STANDING_TYPES, 'rule_triggered'];

/** SQL: block and hash from two columns, or null. */
const blockRefSql = (column: string): string =>
  `CASE WHEN ${column} IS NOT NULL
     THEN jsonb_build_object('number', ${column}, 'hash', ${column}_hash) END`;

/** Reads and writes alerts about positions, one statement for a batch. */
@Injectable()
export class PositionAlertsRepository {
  /** Returns alerts of the positions that are active or were resolved after `resolvedAfterMs`. */
  async recent(
    tx: SqlExecutor,
    positionIds: readonly string[],
    resolvedAfterMs: number,
  ): Promise<AlertRecord[]> {
    const { rows } = await tx.query<AlertRecord>(
      `SELECT id, account_id AS "accountId", position_id AS "positionId", type, severity, title, message,
         opened_band AS "openedBand", confidence_score AS "confidenceScore", rule_id AS "ruleId",
         target_webhook_id AS "targetWebhookId", incident_id AS "incidentId",
         (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
         (extract(epoch FROM resolved_at) * 1000)::float8 AS "resolvedAtMs", resolve_reason AS "resolveReason",
         escalated_to AS "escalatedTo", content, level, health_factor AS "healthFactor", revision::float8 AS revision,
         (extract(epoch FROM coalesce(updated_at, created_at)) * 1000)::float8 AS "updatedAtMs",
         ${blockRefSql('opened_block')} AS "openedAt", ${blockRefSql('worsened_block')} AS "worsenedAt"
       FROM alerts
       WHERE position_id = ANY($1) AND type = ANY($2)
         AND (resolved_at IS NULL OR resolved_at > to_timestamp($3::float8 / 1000))`,
      [positionIds, TYPES, resolvedAfterMs],
    );
    return rows;
  }

  async insert(tx: SqlExecutor, alerts: readonly AlertRecord[]): Promise<void> {
    if (alerts.length > 0) await tx.query(INSERT_ALERTS, insertedValues(alerts));
  }

  /** Writes every column of the alerts that can change. Some of the alerts are resolved. */
  async update(tx: SqlExecutor, alerts: readonly AlertRecord[]): Promise<void> {
    if (alerts.length > 0) await tx.query(UPDATE_ALERTS, updatedValues(alerts));
  }

  /** Replaces all due openings of these positions with `due`. */
  async replaceDue(
    tx: SqlExecutor,
    positionIds: readonly string[],
    due: readonly DueOpening[],
  ): Promise<void> {
    await tx.query('DELETE FROM due_openings WHERE position_id = ANY($1)', [positionIds]);
    if (due.length === 0) return;
    await tx.query(
      `INSERT INTO due_openings (position_id, account_id, type, rule_id, due_at, request_id, traceparent)
       SELECT position_id, account_id, type, rule_id, to_timestamp(due_at_ms / 1000), request_id, traceparent
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[], $6::text[], $7::text[])
         AS due (position_id, account_id, type, rule_id, due_at_ms, request_id, traceparent)
       ORDER BY position_id, account_id, type, rule_id`,
      [
        due.map((each) => each.positionId),
        due.map((each) => each.accountId),
        due.map((each) => each.type),
        due.map((each) => each.ruleId ?? ''),
        due.map((each) => each.dueAtMs),
        due.map((each) => each.cause.requestId ?? null),
        due.map((each) => each.cause.traceparent ?? null),
      ],
    );
  }
}
