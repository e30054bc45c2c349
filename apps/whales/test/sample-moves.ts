import type { Pool } from 'pg';

/** A row of `activity` with the fields that a test sets. */
export interface SampleMove {
  wallet: string;
  block: number;
  market?: string;
  subId?: string;
  usd?: number;
  /** Days before now. */
  daysAgo?: number;
}

export const SAMPLE_TOKEN = `0x${'a'.repeat(40)}`;
const HASH = `0x${'b'.repeat(64)}`;

/** Writes moves of chain 1 that no chain contains. Each is a supply of the same token. */
export async function writeMoves(pool: Pool, moves: readonly SampleMove[]): Promise<void> {
  await pool.query(
    `INSERT INTO activity (id, chain_id, protocol, market, sub_id, wallet, action, token, symbol, decimals, amount_raw,
       amount, usd, price_basis, block, block_hash, transaction_hash, log_index, at, is_published)
     SELECT 'act_' || substr(md5(random()::text), 1, 22), 1, 'aave-v3', market, sub_id, wallet, 'supply', $5, 'WETH', 18, 1, 1, usd,
       'block', block, $6, $6, at, now() - days * interval '1 day', false
     FROM unnest($1::text[], $2::int[], $3::float8[], $4::float8[], $7::text[], $8::text[])
       WITH ORDINALITY AS move (wallet, block, usd, days, market, sub_id, at)`,
    [
      moves.map(({ wallet }) => wallet),
      moves.map(({ block }) => block),
      moves.map(({ usd = 1 }) => usd),
      moves.map(({ daysAgo = 0 }) => daysAgo),
      SAMPLE_TOKEN,
      HASH,
      moves.map(({ market = 'main' }) => market),
      moves.map(({ subId = '' }) => subId),
    ],
  );
}
