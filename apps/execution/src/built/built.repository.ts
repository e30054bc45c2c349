import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import type { ExecutionRow, StepRow } from '../executions/execution-row';
import {
  EXECUTION_COLUMNS,
  ExecutionsRepository,
  type StoredRow,
  rowOf,
} from '../executions/executions.repository';

/** The end of a build. */
export interface BuiltEnd {
  status: 'completed' | 'cancelled';
  healthFactorAfter: number | null;
  failure: ExecutionRow['failure'];
  step: StepRow;
}

/** Executions whose transactions the wallet sends itself. */
@Injectable()
export class BuiltRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly executions: ExecutionsRepository,
  ) {}

  /**
   * Returns the builds to check now, the longest due first. No other process receives them until `againMs`
   * have passed.
   */
  async claimDue(limit: number, againMs: number): Promise<ExecutionRow[]> {
    const { rows } = await this.pool.query<StoredRow>(
      `UPDATE executions SET built_due_at = now() + $2 * interval '1 millisecond'
       WHERE id IN (
         SELECT id FROM executions WHERE built_status = 'pending' AND built_due_at <= now()
         ORDER BY built_due_at LIMIT $1 FOR UPDATE SKIP LOCKED
       )
       RETURNING ${EXECUTION_COLUMNS}`,
      [limit, againMs],
    );
    return rows.map(rowOf);
  }

  /** Writes the end of a pending build. A build that has ended does not change. */
  async end(id: string, { status, healthFactorAfter, failure, step }: BuiltEnd): Promise<void> {
    await inTransaction(this.pool, async (tx) => {
      const { rowCount } = await tx.query(
        `UPDATE executions SET built_status = $2, health_factor_after = $3, failure_code = $4, failure_message = $5,
           updated_at = to_timestamp($6::float8 / 1000)
         WHERE id = $1 AND built_status = 'pending'`,
        [id, status, healthFactorAfter, failure?.code ?? null, failure?.message ?? null, step.atMs],
      );
      if (rowCount === 1) await this.executions.addSteps(tx, id, [step]);
    });
  }
}
