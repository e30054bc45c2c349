import { Inject, Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { FailureReason, OnchainStatus } from '@plimsoll/contracts';
import { Conditions } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import type { ExecutionRow, StepRow } from './execution-row';

const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;
export const EXECUTION_COLUMNS = `id, account_id AS "accountId", rule_id AS "ruleId", position_id AS "positionId", mode, dry_run AS "dryRun", strategy,
  coalesce(built_status, status) AS status,
  protocol, chain_id AS "chainId", market, sub_id AS "subId", wallet, target_health_factor AS "targetHealthFactor",
  max_slippage_bps AS "maxSlippageBps", asset, ${MS('deadline')} AS "deadlineMs", plan,
  health_factor_after AS "healthFactorAfter", transaction_hash AS "transactionHash",
  included_block::float8 AS "includedBlock", included_hash AS "includedHash", confirmations,
  failure_code AS "failureCode", failure_message AS "failureMessage", sequence,
  ${MS('created_at')} AS "createdAtMs", ${MS('updated_at')} AS "updatedAtMs"`;

export type StoredRow = Omit<ExecutionRow, 'failure'> & {
  failureCode: FailureReason | null;
  failureMessage: string | null;
};

/** Filter of a list. */
export interface ExecutionFilter {
  positionId: string | undefined;
  status: OnchainStatus | undefined;
}

/** Executions and their steps. */
@Injectable()
export class ExecutionsRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  async insert(tx: SqlExecutor, row: ExecutionRow): Promise<void> {
    await tx.query(
      `INSERT INTO executions (id, account_id, position_id, mode, dry_run, strategy, status, protocol, chain_id, market,
         sub_id, wallet, target_health_factor, max_slippage_bps, asset, deadline, plan, sequence, created_at, updated_at,
         rule_id, failure_code, failure_message, built_status, built_due_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, to_timestamp($16::float8 / 1000), $17,
         $18, to_timestamp($19::float8 / 1000), to_timestamp($20::float8 / 1000), $21, $22, $23, $24,
         CASE WHEN $24::text = 'pending' THEN now() END)`,
      [
        row.id,
        row.accountId,
        row.positionId,
        row.mode,
        row.dryRun,
        row.strategy,
        row.mode === 'build' ? 'completed' : row.status,
        row.protocol,
        row.chainId,
        row.market,
        row.subId,
        row.wallet,
        row.targetHealthFactor,
        row.maxSlippageBps,
        row.asset,
        row.deadlineMs,
        JSON.stringify(row.plan),
        row.sequence,
        row.createdAtMs,
        row.updatedAtMs,
        row.ruleId,
        row.failure?.code ?? null,
        row.failure?.message ?? null,
        row.mode === 'build' ? row.status : null,
      ],
    );
  }

  /** Returns those that exist already. */
  async existing(tx: SqlExecutor, ids: readonly string[]): Promise<Set<string>> {
    const { rows } = await tx.query<{ id: string }>('SELECT id FROM executions WHERE id = ANY($1)', [ids]);
    return new Set(rows.map(({ id }) => id));
  }

  /** Returns whether one is in flight for the position. No other can begin until the transaction ends. */
  async isInFlight(tx: SqlExecutor, positionId: string): Promise<boolean> {
    await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [`execution:${positionId}`]);
    const { rowCount } = await tx.query(
      `SELECT FROM executions WHERE position_id = $1 AND status IN ('pending', 'running')`,
      [positionId],
    );
    return (rowCount ?? 0) > 0;
  }

  async addSteps(tx: SqlExecutor, id: string, steps: readonly StepRow[]): Promise<void> {
    await tx.query(
      `INSERT INTO execution_steps (execution_id, name, at, detail, transaction_hash, block)
       SELECT $1, name, to_timestamp(at / 1000), detail, hash, block
       FROM unnest($2::text[], $3::float8[], $4::text[], $5::text[], $6::bigint[]) WITH ORDINALITY
         AS step (name, at, detail, hash, block, place) ORDER BY place`,
      [
        id,
        steps.map(({ name }) => name),
        steps.map(({ atMs }) => atMs),
        steps.map(({ detail }) => detail),
        steps.map(({ transactionHash }) => transactionHash),
        steps.map(({ block }) => block),
      ],
    );
  }

  /** Returns an execution of this account, or null. */
  async find(accountId: string, id: string): Promise<ExecutionRow | null> {
    const { rows } = await this.pool.query<StoredRow>(
      `SELECT ${EXECUTION_COLUMNS} FROM executions WHERE id = $1 AND account_id = $2`,
      [id, accountId],
    );
    return rows[0] ? rowOf(rows[0]) : null;
  }

  /** Newest first, before the id. */
  async list(
    accountId: string,
    { positionId, status }: ExecutionFilter,
    beforeId: string | null,
    limit: number,
  ): Promise<ExecutionRow[]> {
    const conditions = new Conditions();
    conditions.equal('account_id', accountId);
    conditions.where((before) => `id < ${before}`, beforeId);
    conditions.equal('position_id', positionId);
    // In the words of the index.
    conditions.equal('coalesce(built_status, status)', status);
    const { rows } = await this.pool.query<StoredRow>(
      `SELECT ${EXECUTION_COLUMNS} FROM executions WHERE ${conditions.sql}
       ORDER BY id DESC LIMIT ${conditions.parameter(limit)}`,
      conditions.values,
    );
    return rows.map(rowOf);
  }

  /** Oldest first, by execution. */
  async stepsOf(ids: readonly string[]): Promise<Map<string, StepRow[]>> {
    const rows = await this.prisma.executionStep.findMany({
      where: { executionId: { in: [...ids] } },
      orderBy: { number: 'asc' },
    });
    const steps = new Map<string, StepRow[]>(ids.map((id) => [id, []]));
    for (const { executionId, name, at, detail, transactionHash, block } of rows) {
      steps.get(executionId)?.push({
        name: name as StepRow['name'],
        atMs: at.getTime(),
        detail,
        transactionHash,
        block: block === null ? null : Number(block),
      });
    }
    return steps;
  }
}

export function rowOf({ failureCode, failureMessage, ...row }: StoredRow): ExecutionRow {
  const failure = failureCode === null ? null : { code: failureCode, message: failureMessage ?? '' };
  return { ...row, failure };
}
