import { Injectable } from '@nestjs/common';
import type { AutomationExecution, ExecutionStatus } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import type { NewExecution } from './execution';

/** Progress of the delivery of an execution's alert. */
export interface ExecutionProgress {
  eventId: string;
  webhookId: string;
  status: ExecutionStatus;
  result: string;
  /** Milliseconds since 1970. Null while it continues. */
  finishedAtMs: number | null;
}

/** Progress of an execution on chain. */
export interface OnchainProgress {
  executionId: string;
  /** Increases with each event of an execution. */
  sequence: number;
  status: ExecutionStatus;
  result: string;
  /** Milliseconds since 1970. Null while it continues. */
  finishedAtMs: number | null;
}

interface Row extends Omit<AutomationExecution, 'triggeredAt' | 'finishedAt'> {
  triggeredAt: Date;
  finishedAt: Date | null;
}

/** Stores the executions of rules. */
@Injectable()
export class ExecutionsRepository {
  constructor(private readonly pool: Pool) {}

  async insert(tx: SqlExecutor, executions: readonly NewExecution[]): Promise<void> {
    if (executions.length === 0) return;
    await tx.query(
      `INSERT INTO executions (id, rule_id, account_id, alert_id, event_id, webhook_id, status, result, triggered_at,
         finished_at)
       SELECT id, rule_id, account_id, alert_id, event_id, webhook_id, status, result,
         to_timestamp(triggered_at_ms / 1000), to_timestamp(finished_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[],
         $9::float8[], $10::float8[])
         AS new (id, rule_id, account_id, alert_id, event_id, webhook_id, status, result, triggered_at_ms,
           finished_at_ms)`,
      [
        executions.map((each) => each.id),
        executions.map((each) => each.ruleId),
        executions.map((each) => each.accountId),
        executions.map((each) => each.alertId),
        executions.map((each) => each.eventId),
        executions.map((each) => each.webhookId),
        executions.map((each) => each.status),
        executions.map((each) => each.result),
        executions.map((each) => each.triggeredAtMs),
        executions.map((each) => each.finishedAtMs),
      ],
    );
  }

  /** Updates executions that wait for their delivery, at most one for each event. */
  async progress(tx: SqlExecutor, steps: readonly ExecutionProgress[]): Promise<void> {
    if (steps.length === 0) return;
    await tx.query(
      `UPDATE executions SET status = step.status, result = step.result,
         finished_at = to_timestamp(step.finished_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::float8[])
         AS step (event_id, webhook_id, status, result, finished_at_ms)
       WHERE executions.event_id = step.event_id AND executions.webhook_id = step.webhook_id
         AND executions.finished_at IS NULL`,
      [
        steps.map(({ eventId }) => eventId),
        steps.map(({ webhookId }) => webhookId),
        steps.map(({ status }) => status),
        steps.map(({ result }) => result),
        steps.map(({ finishedAtMs }) => finishedAtMs),
      ],
    );
  }

  /**
   * Updates executions on chain and returns the ids of the updated ones. Ignores steps that are not newer
   * than the stored one, and executions that no rule requested.
   */
  async advance(tx: SqlExecutor, steps: readonly OnchainProgress[]): Promise<Set<string>> {
    if (steps.length === 0) return new Set();
    const inOrder = steps.toSorted((a, b) => a.sequence - b.sequence);
    const newest = [...new Map(inOrder.map((step) => [step.executionId, step])).values()];
    const { rows } = await tx.query<{ id: string }>(
      `UPDATE executions SET status = step.status, result = step.result, sequence = step.sequence,
         finished_at = to_timestamp(step.finished_at_ms / 1000)
       FROM unnest($1::text[], $2::int[], $3::text[], $4::text[], $5::float8[])
         AS step (id, sequence, status, result, finished_at_ms)
       WHERE executions.id = step.id AND executions.sequence < step.sequence AND executions.finished_at IS NULL
       RETURNING executions.id`,
      [
        newest.map(({ executionId }) => executionId),
        newest.map(({ sequence }) => sequence),
        newest.map(({ status }) => status),
        newest.map(({ result }) => result),
        newest.map(({ finishedAtMs }) => finishedAtMs),
      ],
    );
    return new Set(rows.map(({ id }) => id));
  }

  /**
   * Returns the rules that requested these executions, by execution. Executions without a rule are absent.
   */
  async rulesOf(tx: SqlExecutor, executionIds: readonly string[]): Promise<Map<string, string>> {
    const { rows } = await tx.query<{ id: string; ruleId: string }>(
      'SELECT id, rule_id AS "ruleId" FROM executions WHERE id = ANY($1)',
      [executionIds],
    );
    return new Map(rows.map(({ id, ruleId }) => [id, ruleId]));
  }

  /** Ends executions that wait for a delivery to one of these deleted endpoints. */
  async skipThoseOf(tx: SqlExecutor, webhookIds: readonly string[], nowMs: number): Promise<void> {
    await tx.query(
      `UPDATE executions SET status = 'skipped', finished_at = to_timestamp($2::float8 / 1000),
         result = 'Not sent: the endpoint ' || webhook_id || ' was deleted.'
       WHERE webhook_id = ANY($1) AND finished_at IS NULL`,
      [webhookIds, nowMs],
    );
  }

  /** Newest first, starting after the execution `beforeId`, with an optional rule and status. */
  async list(
    accountId: string,
    { ruleId, status }: { ruleId?: string | undefined; status?: ExecutionStatus | undefined },
    beforeId: string | null,
    limit: number,
  ): Promise<AutomationExecution[]> {
    const { rows } = await this.pool.query<Row>(
      `SELECT id, rule_id AS "ruleId", status, result, alert_id AS "alertId", triggered_at AS "triggeredAt",
         finished_at AS "finishedAt"
       FROM executions
       WHERE account_id = $1 AND ($2::text IS NULL OR id < $2) AND ($3::text IS NULL OR rule_id = $3)
         AND ($4::text IS NULL OR status = $4)
       ORDER BY id DESC LIMIT $5`,
      [accountId, beforeId, ruleId ?? null, status ?? null, limit],
    );
    return rows.map((row) => ({
      ...row,
      triggeredAt: row.triggeredAt.toISOString(),
      finishedAt: row.finishedAt?.toISOString() ?? null,
    }));
  }
}
