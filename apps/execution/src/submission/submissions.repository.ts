import { randomUUID } from 'node:crypto';
import { Inject, Injectable } from '@nestjs/common';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import type { Address } from 'viem';
import { PrismaClient } from '../generated/prisma/client';
import type { ExecutionRow, StepRow } from '../executions/execution-row';
import {
  EXECUTION_COLUMNS,
  ExecutionsRepository,
  type StoredRow,
  rowOf,
} from '../executions/executions.repository';
import { LeaseLost, type StoredRun, type Submission, executionEvent } from './submission';

/** Changes of an execution. */
export type SubmissionChange = Partial<
  Pick<
    Submission,
    | 'status'
    | 'plan'
    | 'run'
    | 'healthFactorAfter'
    | 'transactionHash'
    | 'includedBlock'
    | 'includedHash'
    | 'confirmations'
    | 'failure'
  >
>;

type ClaimedRow = StoredRow & {
  run: StoredRun | null;
  requestId: string | null;
  traceparent: string | null;
};

/** Submitted executions with their leases and changes. */
@Injectable()
export class SubmissionsRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
    private readonly executions: ExecutionsRepository,
  ) {}

  /** Claims the execution that has been due longest, or returns null. Its lease expires. */
  async claim(leaseMs: number): Promise<Submission | null> {
    const lease = randomUUID();
    const { rows } = await this.pool.query<ClaimedRow>(
      `UPDATE executions SET lease = $1, leased_until = now() + $2 * interval '1 millisecond'
       WHERE id = (
         SELECT id FROM executions
         WHERE due_at <= now() AND (leased_until IS NULL OR leased_until < now())
         ORDER BY due_at LIMIT 1 FOR UPDATE SKIP LOCKED
       )
       RETURNING ${EXECUTION_COLUMNS}, run, request_id AS "requestId", traceparent`,
      [lease, leaseMs],
    );
    const [row] = rows;
    if (!row) return null;
    const { run, requestId, traceparent, ...stored } = row;
    const cause = { requestId: requestId ?? undefined, traceparent: traceparent ?? undefined };
    return { ...rowOf(stored), run, lease, cause };
  }

  /** Extends the lease while this process still holds it. */
  async renew({ id, lease }: Submission, leaseMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE executions SET leased_until = now() + $3 * interval '1 millisecond' WHERE id = $1 AND lease = $2`,
      [id, lease, leaseMs],
    );
  }

  /** Releases it until a later check. */
  async defer({ id, lease }: Submission, afterMs: number): Promise<void> {
    await this.pool.query(
      `UPDATE executions SET lease = NULL, leased_until = NULL, due_at = now() + $3 * interval '1 millisecond'
       WHERE id = $1 AND lease = $2 AND due_at IS NOT NULL`,
      [id, lease, afterMs],
    );
  }

  /**
   * Writes the change, its steps and the event. `work` runs first in the same transaction. A completed
   * execution is no longer due.
   * @throws LeaseLost
   */
  async change(
    submission: Submission,
    atMs: number,
    work: (tx: PoolClient) => Promise<{ change: SubmissionChange; steps: StepRow[] }>,
  ): Promise<Submission> {
    return inTransaction(this.pool, async (tx) => {
      await this.lockOwn(tx, submission);
      const { change, steps } = await work(tx);
      const next: Submission = {
        ...submission,
        ...change,
        sequence: submission.sequence + 1,
        updatedAtMs: atMs,
      };
      await this.update(tx, next);
      await this.executions.addSteps(tx, next.id, steps);
      await appendToOutbox(tx, [outgoing('execution.v1', executionEvent(next), next.cause)]);
      return next;
    });
  }

  /**
   * Stores confirmations, which alone are not published.
   * @throws LeaseLost
   */
  async confirm(submission: Submission, confirmations: number): Promise<Submission> {
    const { id, lease } = submission;
    const { count } = await this.prisma.execution.updateMany({
      where: { id, lease },
      data: { confirmations },
    });
    if (count !== 1) throw new LeaseLost(submission.id);
    return { ...submission, confirmations };
  }

  /**
   * Returns the next nonce of a key and locks its row until the transaction ends.
   * @param onChain its transactions in blocks
   */
  async reserveNonce(tx: SqlExecutor, chainId: number, sender: Address, onChain: number): Promise<number> {
    const { rows } = await tx.query<{ nonce: string }>(
      `INSERT INTO keys (chain_id, sender, next_nonce) VALUES ($1, $2, $3::bigint + 1)
       ON CONFLICT (chain_id, sender) DO UPDATE SET next_nonce = greatest(keys.next_nonce, $3::bigint) + 1
       RETURNING next_nonce - 1 AS nonce`,
      [chainId, sender, onChain],
    );
    return Number(rows[0]!.nonce);
  }

  private async lockOwn(tx: SqlExecutor, { id, lease }: Submission): Promise<void> {
    const { rowCount } = await tx.query('SELECT FROM executions WHERE id = $1 AND lease = $2 FOR UPDATE', [
      id,
      lease,
    ]);
    if (rowCount !== 1) throw new LeaseLost(id);
  }

  private async update(tx: SqlExecutor, row: Submission): Promise<void> {
    await tx.query(
      `UPDATE executions SET status = $2, plan = $3, run = $4, health_factor_after = $5, transaction_hash = $6,
         included_block = $7, included_hash = $8, confirmations = $9, failure_code = $10, failure_message = $11,
         sequence = $12, updated_at = to_timestamp($13::float8 / 1000),
         due_at = CASE WHEN $2 IN ('pending', 'running') THEN due_at END
       WHERE id = $1`,
      [
        row.id,
        row.status,
        JSON.stringify(row.plan),
        row.run === null ? null : JSON.stringify(row.run),
        row.healthFactorAfter,
        row.transactionHash,
        row.includedBlock,
        row.includedHash,
        row.confirmations,
        row.failure?.code ?? null,
        row.failure?.message ?? null,
        row.sequence,
        row.updatedAtMs,
      ],
    );
  }
}

/** Queues an accepted execution, unless it was refused, with its event. */
export async function submitRow(
  tx: SqlExecutor,
  row: ExecutionRow,
  cause: Submission['cause'],
): Promise<void> {
  await tx.query(
    `UPDATE executions SET due_at = CASE WHEN status = 'pending' THEN now() END, request_id = $2, traceparent = $3
     WHERE id = $1`,
    [row.id, cause.requestId ?? null, cause.traceparent ?? null],
  );
  await appendToOutbox(tx, [outgoing('execution.v1', executionEvent(row), cause)]);
}
