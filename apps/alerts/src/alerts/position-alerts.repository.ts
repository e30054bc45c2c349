import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { DueOpening } from '../evaluation/evaluation';
import { STANDING_CONDITIONS } from '../evaluation/standing-conditions';
import type { AlertRecord } from './alert-record';

const TYPES = [...STANDING_CONDITIONS.map(({ type }) => type), 'rule_triggered'];

/** Reads and writes the alerts about positions, a batch in one statement. */
@Injectable()
export class PositionAlertsRepository {
  /** Alerts of the positions that are active or were resolved after `resolvedAfterMs`. */
  async known(
    tx: SqlExecutor,
    positionIds: readonly string[],
    resolvedAfterMs: number,
  ): Promise<AlertRecord[]> {
    const { rows } = await tx.query<AlertRecord>(
      `SELECT id, account_id AS "accountId", position_id AS "positionId", type, severity, title, message,
         opened_band AS "openedBand", confidence_score AS "confidenceScore", rule_id AS "ruleId",
         target_webhook_id AS "targetWebhookId", incident_id AS "incidentId",
         (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs",
         (extract(epoch FROM resolved_at) * 1000)::float8 AS "resolvedAtMs"
       FROM alerts
       WHERE position_id = ANY($1) AND type = ANY($2)
         AND (resolved_at IS NULL OR resolved_at > to_timestamp($3::float8 / 1000))`,
      [positionIds, TYPES, resolvedAfterMs],
    );
    return rows;
  }

  async insert(tx: SqlExecutor, alerts: readonly AlertRecord[]): Promise<void> {
    if (alerts.length === 0) return;
    await tx.query(
      `INSERT INTO alerts (id, account_id, position_id, type, severity, title, message, opened_band, confidence_score,
         rule_id, target_webhook_id, incident_id, created_at, resolved_at)
       SELECT id, account_id, position_id, type, severity, title, message, opened_band, confidence_score,
         rule_id, target_webhook_id, incident_id, to_timestamp(created_at_ms / 1000),
         to_timestamp(resolved_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::float8[], $10::text[], $11::text[], $12::text[], $13::float8[], $14::float8[])
         AS alert (id, account_id, position_id, type, severity, title, message, opened_band, confidence_score,
           rule_id, target_webhook_id, incident_id, created_at_ms, resolved_at_ms)`,
      [
        alerts.map((alert) => alert.id),
        alerts.map((alert) => alert.accountId),
        alerts.map((alert) => alert.positionId),
        alerts.map((alert) => alert.type),
        alerts.map((alert) => alert.severity),
        alerts.map((alert) => alert.title),
        alerts.map((alert) => alert.message),
        alerts.map((alert) => alert.openedBand),
        alerts.map((alert) => alert.confidenceScore),
        alerts.map((alert) => alert.ruleId),
        alerts.map((alert) => alert.targetWebhookId),
        alerts.map((alert) => alert.incidentId),
        alerts.map((alert) => alert.createdAtMs),
        alerts.map((alert) => alert.resolvedAtMs),
      ],
    );
  }

  async resolve(tx: SqlExecutor, alerts: readonly AlertRecord[], nowMs: number): Promise<void> {
    if (alerts.length === 0) return;
    await tx.query('UPDATE alerts SET resolved_at = to_timestamp($2::float8 / 1000) WHERE id = ANY($1)', [
      alerts.map((alert) => alert.id),
      nowMs,
    ]);
  }

  /** What waits on these positions is `due`, and nothing else. */
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
         AS due (position_id, account_id, type, rule_id, due_at_ms, request_id, traceparent)`,
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
