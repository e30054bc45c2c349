import { Inject, Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import type { SignedAttempt } from './submission';

const MS = (column: string): string => `(extract(epoch FROM ${column}) * 1000)::float8`;

/** Signed transactions. */
@Injectable()
export class AttemptsRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Returns those of an execution, newest first. */
  async of(executionId: string): Promise<SignedAttempt[]> {
    const { rows } = await this.pool.query<
      Omit<SignedAttempt, 'maxFee' | 'priorityFee' | 'nonce'> & {
        maxFee: string;
        priorityFee: string;
        nonce: string;
      }
    >(
      `SELECT attempt, kind, sender, nonce, hash, raw, max_fee AS "maxFee", priority_fee AS "priorityFee",
         ${MS('signed_at')} AS "signedAtMs", ${MS('sent_at')} AS "sentAtMs"
       FROM transactions WHERE execution_id = $1 ORDER BY attempt DESC`,
      [executionId],
    );
    return rows.map(({ maxFee, priorityFee, nonce, ...row }) => ({
      ...row,
      nonce: Number(nonce),
      maxFee: BigInt(maxFee),
      priorityFee: BigInt(priorityFee),
    }));
  }

  async insert(tx: SqlExecutor, executionId: string, chainId: number, signed: SignedAttempt): Promise<void> {
    await tx.query(
      `INSERT INTO transactions (execution_id, attempt, kind, chain_id, sender, nonce, hash, raw, max_fee, priority_fee,
         signed_at)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, to_timestamp($11::float8 / 1000))`,
      [
        executionId,
        signed.attempt,
        signed.kind,
        chainId,
        signed.sender,
        signed.nonce,
        signed.hash,
        signed.raw,
        signed.maxFee.toString(),
        signed.priorityFee.toString(),
        signed.signedAtMs,
      ],
    );
  }

  /** Records that a node has it. */
  async markSent(tx: SqlExecutor, hash: string, atMs: number): Promise<void> {
    await tx.query(
      'UPDATE transactions SET sent_at = coalesce(sent_at, to_timestamp($2::float8 / 1000)) WHERE hash = $1',
      [hash, atMs],
    );
  }
}
