import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import type { NewReceipt } from '../receipt-signing/new-receipt';

const FIND = 'SELECT body FROM receipts WHERE account_id = $1 AND hash = $2 ORDER BY stored_at LIMIT 1';

/** A receipt of the account, or of a crossing of a wallet that it watches. */
const FIND_READABLE = `
SELECT body FROM receipts WHERE account_id IN ($1, '') AND hash = $2 AND (account_id = $1 OR EXISTS (
  SELECT FROM watched_wallets AS w
  WHERE w.account_id = $1 AND w.address = body::jsonb #>> '{content,position,wallet}'))
ORDER BY stored_at LIMIT 1`;

/** Receipts by account and hash, each in the form that was signed first. */
@Injectable()
export class ReceiptsRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** The canonical JSON of a receipt. Null: the account may read none with this hash. */
  async find(accountId: string, hash: string): Promise<string | null> {
    const { rows } = await this.pool.query<{ body: string }>(FIND_READABLE, [accountId, hash]);
    return rows[0]?.body ?? null;
  }

  /** Stores a receipt unless the account has one with this hash. Returns the stored one. */
  store(accountId: string, { hash, body, leaf }: NewReceipt, storedAt: Date): Promise<string> {
    return inTransaction(this.pool, async (tx) => {
      // A unique key cannot do it, because it must contain the day.
      await tx.query('SELECT pg_advisory_xact_lock(hashtextextended($1, 0))', [
        `plimsoll:positions:receipt:${accountId}:${hash}`,
      ]);
      const { rows } = await tx.query<{ body: string }>(FIND, [accountId, hash]);
      if (rows[0]) return rows[0].body;
      await tx.query('INSERT INTO receipts (account_id, hash, stored_at, body) VALUES ($1, $2, $3, $4)', [
        accountId,
        hash,
        storedAt,
        body,
      ]);
      await tx.query('INSERT INTO receipt_log_waiting (leaf) VALUES ($1)', [leaf]);
      return body;
    });
  }
}
