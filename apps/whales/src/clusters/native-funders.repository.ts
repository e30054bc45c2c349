import { Inject, Injectable } from '@nestjs/common';
import { EVIDENCE_WEIGHT, type Evidence } from '@plimsoll/whale-clusters';
import { Pool } from 'pg';
import type { Address } from 'viem';
import type { Cursor } from '../indexing/chain-access';

/** A wallet that funded more wallets is a service. */
const MOST_FUNDED = 20;
const DELETE_ROWS = 5_000;

/** A wallet with the sender of its first coin. Null when no transaction sent it, or a service did. */
export interface NativeFunder {
  wallet: Address;
  funder: Address | null;
  block: bigint;
}

/** The senders of wallets' first native coins. */
@Injectable()
export class NativeFundersRepository {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Returns the first of the wallets, in order, that were not checked. */
  async unknown(chainId: number, wallets: readonly Address[], limit: number): Promise<Address[]> {
    const { rows } = await this.pool.query<{ wallet: Address }>(
      `SELECT wallet FROM unnest($2::text[]) WITH ORDINALITY AS asked (wallet, place)
       WHERE NOT EXISTS (SELECT 1 FROM native_funders AS known WHERE known.chain_id = $1 AND known.wallet = asked.wallet)
       ORDER BY place LIMIT $3`,
      [chainId, wallets, limit],
    );
    return rows.map(({ wallet }) => wallet);
  }

  /** Writes nothing when the cursor was rewound meanwhile. */
  async save(chainId: number, upTo: Cursor, found: readonly NativeFunder[]): Promise<void> {
    await this.pool.query(
      `WITH stands AS (SELECT 1 FROM checkpoints WHERE chain_id = $1 AND block = $2 AND hash = $3 FOR SHARE)
       INSERT INTO native_funders (chain_id, wallet, funder, block)
       SELECT $1, found.* FROM unnest($4::text[], $5::text[], $6::bigint[]) AS found, stands ON CONFLICT DO NOTHING`,
      [
        chainId,
        upTo.block,
        upTo.hash,
        found.map(({ wallet }) => wallet),
        found.map(({ funder }) => funder),
        found.map(({ block }) => block),
      ],
    );
  }

  async evidence(chainId: number): Promise<Evidence[]> {
    const { rows } = await this.pool.query<{ a: string; b: string; block: number }>(
      `SELECT funder AS a, wallet AS b, block::float8 AS block
       FROM (SELECT *, count(*) OVER (PARTITION BY funder) AS funded FROM native_funders
             WHERE chain_id = $1 AND funder IS NOT NULL) AS counted WHERE funded <= $2`,
      [chainId, MOST_FUNDED],
    );
    const weight = EVIDENCE_WEIGHT.first_funder;
    return rows.map((row) => ({ ...row, kind: 'first_funder', weight }));
  }

  /** Deletes some wallets that have no moves left. Returns whether there may be more. */
  async forget(): Promise<boolean> {
    const { rowCount } = await this.pool.query(
      `DELETE FROM native_funders WHERE ctid = ANY(ARRAY(
         SELECT ctid FROM native_funders AS known
         WHERE NOT EXISTS (SELECT 1 FROM activity WHERE activity.wallet = known.wallet) LIMIT ${DELETE_ROWS}))`,
    );
    return rowCount === DELETE_ROWS;
  }
}
