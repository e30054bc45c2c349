import { Inject, Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { Pool } from 'pg';
import type { Address } from 'viem';
import type { WalletOnChain } from './wallet-signature';

/** The authorisation of an account by a wallet. A wallet has one for each account; the next one replaces it. */
export interface AuthorisationRow extends WalletOnChain {
  id: string;
  accountId: string;
  /** Empty for a signature without an end. */
  nonce: string;
  signature: string;
  createdAt: Date;
  expiresAt: Date;
}

interface StoredRow {
  id: string;
  account_id: string;
  chain_id: number;
  wallet: Address;
  nonce: string;
  signature: string;
  at: Date;
  expires_at: Date;
}

const COLUMNS = 'id, account_id, chain_id, wallet, nonce, signature, at, expires_at';

/** A text without an end can be sent again at any time, so its nonce is kept forever. */
const KEEP_NONCE = `INSERT INTO authorisation_nonces (account_id, chain_id, wallet, nonce, expires_at)
  SELECT account_id, chain_id, wallet, nonce, CASE nonce WHEN '' THEN 'infinity' ELSE expires_at END`;

@Injectable()
export class AuthorisationsRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  async find(accountId: string, { chainId, wallet }: WalletOnChain): Promise<AuthorisationRow | null> {
    const { rows } = await this.pool.query<StoredRow>(
      `SELECT ${COLUMNS} FROM authorisations WHERE account_id = $1 AND chain_id = $2 AND wallet = $3`,
      [accountId, chainId, wallet],
    );
    return rows[0] ? toRow(rows[0]) : null;
  }

  /** Newest first. @param before the time and id of the last row of the previous page */
  async list(
    accountId: string,
    before: [atMs: number, id: string] | null,
    limit: number,
  ): Promise<AuthorisationRow[]> {
    const { rows } = await this.pool.query<StoredRow>(
      `SELECT ${COLUMNS} FROM authorisations
       WHERE account_id = $1 ${before ? 'AND (at, id) < (to_timestamp($3::float8 / 1000), $4)' : ''}
       ORDER BY at DESC, id DESC LIMIT $2`,
      [accountId, limit, ...(before ?? [])],
    );
    return rows.map(toRow);
  }

  /**
   * Stores an authorisation in place of the wallet's previous one. An instance of the previous release may have added
   * that one, and records no nonce.
   * @returns false when the wallet's nonce was used before; nothing has changed then
   */
  async add(row: AuthorisationRow, on: SqlExecutor = this.pool): Promise<boolean> {
    const { rowCount } = await on.query(
      `WITH used AS (
         INSERT INTO authorisation_nonces (account_id, chain_id, wallet, nonce, expires_at)
         VALUES ($2, $3, $4, $5, CASE $5 WHEN '' THEN 'infinity' ELSE $8::timestamptz END)
         ON CONFLICT DO NOTHING RETURNING nonce
       ), previous AS (
         ${KEEP_NONCE} FROM authorisations
         WHERE account_id = $2 AND chain_id = $3 AND wallet = $4 AND nonce <> $5
         ON CONFLICT DO NOTHING
       )
       INSERT INTO authorisations (${COLUMNS})
       SELECT $1, $2, $3, $4, $5, $6, $7::timestamptz, $8::timestamptz FROM used
       ON CONFLICT (account_id, chain_id, wallet) DO UPDATE SET id = excluded.id, nonce = excluded.nonce,
         signature = excluded.signature, at = excluded.at, expires_at = excluded.expires_at`,
      [
        row.id,
        row.accountId,
        row.chainId,
        row.wallet,
        row.nonce,
        row.signature,
        row.createdAt,
        row.expiresAt,
      ],
    );
    return rowCount === 1;
  }

  /** Deletes an authorisation. Its nonce stays used. Returns null when the account has none with this id. */
  async revoke(accountId: string, id: string, on: SqlExecutor = this.pool): Promise<WalletOnChain | null> {
    const { rows } = await on.query<Pick<StoredRow, 'chain_id' | 'wallet'>>(
      `WITH gone AS (
         DELETE FROM authorisations WHERE account_id = $1 AND id = $2
         RETURNING account_id, chain_id, wallet, nonce, expires_at
       ), kept AS (${KEEP_NONCE} FROM gone ON CONFLICT DO NOTHING)
       SELECT chain_id, wallet FROM gone`,
      [accountId, id],
    );
    const [gone] = rows;
    return gone ? { chainId: gone.chain_id, wallet: gone.wallet } : null;
  }
}

function toRow(stored: StoredRow): AuthorisationRow {
  const { id, account_id, chain_id, wallet, nonce, signature, at, expires_at } = stored;
  return {
    id,
    accountId: account_id,
    chainId: chain_id,
    wallet,
    nonce,
    signature,
    createdAt: at,
    expiresAt: expires_at,
  };
}
