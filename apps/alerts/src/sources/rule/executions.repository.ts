import { Injectable } from '@nestjs/common';
import type { AutomationExecution, ExecutionStatus } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, runBulk, updateSql } from '../../infrastructure/bulk-rows';
import { PrismaClient } from '../../generated/prisma/client';
import type { NewExecution } from './execution';

/** Progress of an execution. */
interface Progress {
  status: ExecutionStatus;
  result: string;
  /** Milliseconds since 1970. Null while it continues. */
  finishedAtMs: number | null;
}

/** Progress of the delivery of an execution's alert. */
export interface ExecutionProgress extends Progress {
  eventId: string;
  webhookId: string;
}

/** Progress of an execution on chain. */
export interface OnchainProgress extends Progress {
  executionId: string;
  /** Increases with each event of an execution. */
  sequence: number;
}

const PROGRESS = columns<ExecutionProgress>({
  text: ['eventId', 'webhookId', 'status', 'result'],
  time: ['finishedAtMs'],
});
const ONCHAIN = columns<OnchainProgress>(
  { text: ['status', 'result'], int: ['sequence'], time: ['finishedAtMs'] },
  { id: ['text', ({ executionId }) => executionId] },
);
const COLUMNS = columns<NewExecution>({
  text: ['id', 'ruleId', 'accountId', 'alertId', 'eventId', 'webhookId', 'status', 'result'],
  time: ['triggeredAtMs', 'finishedAtMs'],
});
const INSERT = insertSql('executions', COLUMNS);
const IS_UNFINISHED = 'executions.finished_at IS NULL';
const DELIVERED = updateSql('executions', PROGRESS, ['event_id', 'webhook_id'], { where: IS_UNFINISHED });
const IS_NEWER = `executions.sequence < given.sequence AND ${IS_UNFINISHED}`;
const ADVANCE = `${updateSql('executions', ONCHAIN, ['id'], { where: IS_NEWER })} RETURNING executions.id`;

/** Stores the executions of rules. */
@Injectable()
export class ExecutionsRepository {
  constructor(private readonly prisma: PrismaClient) {}

  async insert(tx: SqlExecutor, executions: readonly NewExecution[]): Promise<void> {
    await runBulk(tx, INSERT, COLUMNS, executions);
  }

  /** Updates executions that wait for their delivery, at most one for each event. */
  async progress(tx: SqlExecutor, steps: readonly ExecutionProgress[]): Promise<void> {
    await runBulk(tx, DELIVERED, PROGRESS, steps);
  }

  /**
   * Updates executions on chain and returns the ids of the updated ones. Ignores steps that are not newer
   * than the stored one, and executions that no rule requested.
   */
  async advance(tx: SqlExecutor, steps: readonly OnchainProgress[]): Promise<Set<string>> {
    const inOrder = steps.toSorted((a, b) => a.sequence - b.sequence);
    const newest = [...new Map(inOrder.map((step) => [step.executionId, step])).values()];
    const rows = await runBulk<OnchainProgress, { id: string }>(tx, ADVANCE, ONCHAIN, newest);
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
    const executions = await this.prisma.execution.findMany({
      where: {
        accountId,
        ...(beforeId !== null && { id: { lt: beforeId } }),
        ...(ruleId !== undefined && { ruleId }),
        ...(status !== undefined && { status }),
      },
      orderBy: { id: 'desc' },
      take: limit,
    });
    return executions.map(({ id, ruleId: rule, status: now, result, alertId, triggeredAt, finishedAt }) => ({
      id,
      ruleId: rule,
      status: now as ExecutionStatus,
      result,
      alertId,
      triggeredAt: triggeredAt.toISOString(),
      finishedAt: finishedAt?.toISOString() ?? null,
    }));
  }
}
