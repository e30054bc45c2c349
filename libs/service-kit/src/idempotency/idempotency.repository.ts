import { Inject, Injectable, Optional } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import type { Answer } from './answer';
import { AnswerSeal } from './answer-seal';
import type { IdempotentCall } from './idempotent-call';

/** A call with its key. */
export type KeyedCall = IdempotentCall & { key: string };

/** What stands under a key: another call at work, an answer, or the answer to a call with another body. */
export type Known =
  { kind: 'in_work' } | { kind: 'other_body' } | { kind: 'answered'; answer: Required<Answer<unknown>> };

/** Longer than any call takes, all its deadlines added: a claim that is older is of a process that ended. */
const CLAIM_SECONDS = 60;
/** Rows deleted by one statement, so that cleaning up never holds locks for long. */
const DELETE_ROWS = 5_000;
const REMEMBERED = `interval '24 hours'`;

const CLAIM = `
INSERT INTO idempotency AS known (account_id, method, path, key, request_hash, claim, claimed_until)
VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${CLAIM_SECONDS} seconds')
ON CONFLICT (account_id, method, path, key) DO UPDATE
  SET request_hash = excluded.request_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
      status = NULL, headers = NULL, body = NULL, sealed_with = NULL, created_at = now()
  WHERE known.created_at < now() - ${REMEMBERED}
     OR (known.status IS NULL AND known.claimed_until < now() AND known.request_hash = excluded.request_hash)
RETURNING claim`;

const OF_CALL = 'account_id = $1 AND method = $2 AND path = $3 AND key = $4';

interface Row {
  request_hash: Buffer;
  status: number | null;
  headers: Record<string, string>;
  body: Buffer;
  sealed_with: string | null;
}

const rowKey = ({ accountId, method, path, key }: KeyedCall): string[] => [accountId, method, path, key];

/** The rows of IDEMPOTENCY_SQL. */
@Injectable()
export class IdempotencyRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Optional() private readonly seal?: AnswerSeal,
  ) {}

  /** True: the key is this claim's to work under, until it is answered or released or a minute is over. */
  async claim(call: KeyedCall, claim: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(CLAIM, [...rowKey(call), call.requestHash, claim]);
    return rowCount === 1;
  }

  /** Null when nothing stands under the key any more. */
  async find(call: KeyedCall): Promise<Known | null> {
    const { rows } = await this.pool.query<Row>(
      `SELECT request_hash, status, headers, body, sealed_with FROM idempotency WHERE ${OF_CALL}`,
      rowKey(call),
    );
    const [row] = rows;
    if (!row) return null;
    if (!row.request_hash.equals(call.requestHash)) return { kind: 'other_body' };
    if (row.status === null) return { kind: 'in_work' };
    const body = this.#open(row, call);
    return { kind: 'answered', answer: { status: row.status, headers: row.headers, body: JSON.parse(body) } };
  }

  /** False when the claim is another's by now: the effect must not be committed. */
  async answer<T>(tx: PoolClient, call: KeyedCall, claim: string, answer: Answer<T>): Promise<boolean> {
    const body = JSON.stringify(answer.body);
    const { keyId, sealed } = this.seal?.seal(body, owner(call)) ?? {
      keyId: null,
      sealed: Buffer.from(body),
    };
    const { rowCount } = await tx.query(
      `UPDATE idempotency SET status = $6, headers = $7, body = $8, sealed_with = $9
       WHERE ${OF_CALL} AND claim = $5 AND status IS NULL`,
      [...rowKey(call), claim, answer.status, answer.headers ?? {}, sealed, keyId],
    );
    return rowCount === 1;
  }

  /** Gives the key free, unless the work was committed. */
  async release(call: KeyedCall, claim: string): Promise<void> {
    await this.pool.query(`DELETE FROM idempotency WHERE ${OF_CALL} AND claim = $5 AND status IS NULL`, [
      ...rowKey(call),
      claim,
    ]);
  }

  /** The keys that stored answers are sealed with. */
  async sealKeyIds(): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT DISTINCT sealed_with AS id FROM idempotency WHERE sealed_with IS NOT NULL',
    );
    return rows.map(({ id }) => id);
  }

  /** Forgets what is older than 24 hours; returns how many rows that were. */
  async clean(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { rowCount } = await this.pool.query(
        `DELETE FROM idempotency WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM idempotency WHERE created_at < now() - ${REMEMBERED} LIMIT ${DELETE_ROWS}))`,
      );
      deleted += rowCount ?? 0;
      if ((rowCount ?? 0) < DELETE_ROWS) return deleted;
    }
  }

  #open({ body, sealed_with: keyId }: Row, call: KeyedCall): string {
    if (keyId === null) return body.toString();
    if (!this.seal)
      throw new Error(`A stored answer is sealed with key '${keyId}', and this service has no seal.`);
    return this.seal.open({ keyId, sealed: body }, owner(call));
  }
}

const owner = (call: KeyedCall): string => JSON.stringify(rowKey(call));
