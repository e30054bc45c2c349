import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { resolveAlerts, resolveExpiredAlerts } from '../../lifecycle/resolve-alerts';
import { EXECUTION_ALERT_MS, EXECUTION_ALERT_SEVERITY, type ExecutionAlert } from './execution-alert';

/** SQL: selects alerts of this type. */
const KIND = "type = 'execution_failed'";
const COLUMNS = `id, account_id AS "accountId", position_id AS "positionId", rule_id AS "ruleId", title, message,
  (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"`;

/** Stores alerts about failed executions. They are rare, so a batch is not needed. */
@Injectable()
export class ExecutionAlertsRepository {
  /** Returns false when one is already active for the position and the same rule, or for requests. */
  async insert(tx: SqlExecutor, alert: ExecutionAlert): Promise<boolean> {
    const { rowCount } = await tx.query(
      `INSERT INTO alerts (id, account_id, position_id, rule_id, type, severity, title, message, confidence_score,
         created_at, expires_at)
       VALUES ($1, $2, $3, $4, 'execution_failed', $5, $6, $7, 1, to_timestamp($8::float8 / 1000),
         to_timestamp(($8::float8 + $9::float8) / 1000))
       ON CONFLICT DO NOTHING`,
      [
        alert.id,
        alert.accountId,
        alert.positionId,
        alert.ruleId,
        EXECUTION_ALERT_SEVERITY,
        alert.title,
        alert.message,
        alert.createdAtMs,
        EXECUTION_ALERT_MS,
      ],
    );
    return rowCount === 1;
  }

  /** Resolves the alerts of the account's position. */
  resolveOf(
    tx: SqlExecutor,
    nowMs: number,
    accountId: string,
    positionId: string,
  ): Promise<ExecutionAlert[]> {
    return this.resolve(tx, nowMs, 'account_id = $2 AND position_id = $3', [accountId, positionId]);
  }

  resolveOfRules(tx: SqlExecutor, nowMs: number, ruleIds: readonly string[]): Promise<ExecutionAlert[]> {
    return this.resolve(tx, nowMs, 'rule_id = ANY($2)', [ruleIds]);
  }

  resolveOfPositions(tx: SqlExecutor, nowMs: number, ids: readonly string[]): Promise<ExecutionAlert[]> {
    return this.resolve(tx, nowMs, 'position_id = ANY($2)', [ids]);
  }

  /** Resolves expired alerts, at most `limit`. */
  resolveExpired(tx: SqlExecutor, nowMs: number, limit: number): Promise<ExecutionAlert[]> {
    return resolveExpiredAlerts(tx, nowMs, { columns: COLUMNS, kind: KIND }, limit);
  }

  private resolve(
    tx: SqlExecutor,
    nowMs: number,
    which: string,
    values: readonly unknown[],
  ): Promise<ExecutionAlert[]> {
    const condition = `${KIND} AND ${which}`;
    return resolveAlerts(tx, nowMs, { columns: COLUMNS, condition, values });
  }
}
