import { Inject, Injectable, Optional } from '@nestjs/common';
import { Pool, type PoolClient } from 'pg';
import { type StoredResponse, ResponseSeal } from './stored-response';
import type { IdempotentRequest } from './idempotent-request';

/** A request with its idempotency key. */
export type KeyedRequest = IdempotentRequest & { key: string };

/**
 * The state of a key: another request is in progress, a response is stored, or the key was used with another
 * body.
 */
export type KeyState =
  | { kind: 'in_progress' }
  | { kind: 'other_body' }
  | { kind: 'responded'; response: Required<StoredResponse<unknown>> };

/** Longer than all deadlines of a request together. An older claim belongs to a process that has ended. */
const CLAIM_SECONDS = 60;
/** Rows that one statement deletes, so that the cleaner never holds locks for long. */
const DELETE_ROWS = 5_000;
const KEY_RETENTION = `interval '24 hours'`;

const CLAIM = `
INSERT INTO idempotency AS known (account_id, method, path, key, request_hash, claim, claimed_until)
VALUES ($1, $2, $3, $4, $5, $6, now() + interval '${CLAIM_SECONDS} seconds')
ON CONFLICT (account_id, method, path, key) DO UPDATE
  SET request_hash = excluded.request_hash, claim = excluded.claim, claimed_until = excluded.claimed_until,
      status = NULL, headers = NULL, body = NULL, sealed_with = NULL, created_at = now()
  WHERE known.created_at < now() - ${KEY_RETENTION}
     OR (known.status IS NULL AND known.claimed_until < now() AND known.request_hash = excluded.request_hash)
RETURNING claim`;

const OF_REQUEST = 'account_id = $1 AND method = $2 AND path = $3 AND key = $4';

interface Row {
  request_hash: Buffer;
  status: number | null;
  headers: Record<string, string>;
  body: Buffer;
  sealed_with: string | null;
}

const rowKey = ({ accountId, method, path, key }: KeyedRequest): string[] => [accountId, method, path, key];

/** Reads and writes the rows of IDEMPOTENCY_SQL. */
@Injectable()
export class IdempotencyRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    @Optional() private readonly seal?: ResponseSeal,
  ) {}

  /**
   * Returns true when this claim owns the key. It owns the key until the response is stored, the claim is
   * released, or a minute has passed.
   */
  async claim(request: KeyedRequest, claim: string): Promise<boolean> {
    const { rowCount } = await this.pool.query(CLAIM, [...rowKey(request), request.requestHash, claim]);
    return rowCount === 1;
  }

  /** Returns null when the key has no row. */
  async find(request: KeyedRequest): Promise<KeyState | null> {
    const { rows } = await this.pool.query<Row>(
      `SELECT request_hash, status, headers, body, sealed_with FROM idempotency WHERE ${OF_REQUEST}`,
      rowKey(request),
    );
    const [row] = rows;
    if (!row) return null;
    if (!row.request_hash.equals(request.requestHash)) return { kind: 'other_body' };
    if (row.status === null) return { kind: 'in_progress' };
    const body = this.#open(row, request);
    return {
      kind: 'responded',
      response: { status: row.status, headers: row.headers, body: JSON.parse(body) },
    };
  }

  /** Returns false when another claim owns the key. The effect must then not be committed. */
  async storeResponse<T>(
    tx: PoolClient,
    request: KeyedRequest,
    claim: string,
    response: StoredResponse<T>,
  ): Promise<boolean> {
    const body = JSON.stringify(response.body);
    const { keyId, sealed } = this.seal?.seal(body, owner(request)) ?? {
      keyId: null,
      sealed: Buffer.from(body),
    };
    const { rowCount } = await tx.query(
      `UPDATE idempotency SET status = $6, headers = $7, body = $8, sealed_with = $9
       WHERE ${OF_REQUEST} AND claim = $5 AND status IS NULL`,
      [...rowKey(request), claim, response.status, response.headers ?? {}, sealed, keyId],
    );
    return rowCount === 1;
  }

  /** Releases the key unless the work was committed. */
  async release(request: KeyedRequest, claim: string): Promise<void> {
    await this.pool.query(`DELETE FROM idempotency WHERE ${OF_REQUEST} AND claim = $5 AND status IS NULL`, [
      ...rowKey(request),
      claim,
    ]);
  }

  /** Returns the ids of the keys that encrypt stored responses. */
  async sealKeyIds(): Promise<string[]> {
    const { rows } = await this.pool.query<{ id: string }>(
      'SELECT DISTINCT sealed_with AS id FROM idempotency WHERE sealed_with IS NOT NULL',
    );
    return rows.map(({ id }) => id);
  }

  /** Deletes rows older than 24 hours. Returns their number. */
  async clean(): Promise<number> {
    let deleted = 0;
    for (;;) {
      const { rowCount } = await this.pool.query(
        `DELETE FROM idempotency WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM idempotency WHERE created_at < now() - ${KEY_RETENTION} LIMIT ${DELETE_ROWS}))`,
      );
      deleted += rowCount ?? 0;
      if ((rowCount ?? 0) < DELETE_ROWS) return deleted;
    }
  }

  #open({ body, sealed_with: keyId }: Row, request: KeyedRequest): string {
    if (keyId === null) return body.toString();
    if (!this.seal)
      throw new Error(`A stored response is sealed with key '${keyId}', and this service has no seal.`);
    return this.seal.open({ keyId, sealed: body }, owner(request));
  }
}

const owner = (request: KeyedRequest): string => JSON.stringify(rowKey(request));
