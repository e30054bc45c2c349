import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import type { NewReceipt } from '../receipt-signing/new-receipt';

/** One round trip: five would take as long as the rest of a receipt. */
const STORE = 'SELECT store_receipt($1, $2, $3, $4, $5) AS known';

/** A receipt of the account, or a crossing or forecasts of a wallet that it watches. */
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

  /** Stores a receipt unless the account has one with this hash. Returns the body of that one. Null: it was new. */
  async store(
    accountId: string,
    { hash, body, leaf }: Omit<NewReceipt, 'signature'>,
    storedAt: Date,
  ): Promise<string | null> {
    const { rows } = await this.pool.query<{ known: string | null }>({
      name: 'store-receipt',
      text: STORE,
      values: [accountId, hash, storedAt, body, leaf],
    });
    return rows[0]?.known ?? null;
  }
}
