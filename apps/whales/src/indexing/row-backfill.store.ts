import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { type Cursor, SupersededError } from './chain-access';
import { IndexStore, type IndexedRange } from './index-store';

/** Rows that are read together, and their remaining blocks, both ends included. */
export interface RowGap {
  keys: readonly string[];
  next: bigint;
  last: bigint;
}

/** Progress of the rows of the registry that are new to a chain. */
@Injectable()
export class RowBackfillStore {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly index: IndexStore,
  ) {}

  /**
   * Records the rows that are read from now on. New ones must be read from a block on. Removed ones are
   * deleted, so that they are read again when they return.
   */
  async note(chainId: number, keys: readonly string[], from: bigint, upTo: Cursor): Promise<void> {
    await inTransaction(this.pool, async (tx) => {
      await tx.query('DELETE FROM row_backfills WHERE chain_id = $1 AND row_key <> ALL($2)', [chainId, keys]);
      await tx.query(
        `INSERT INTO row_backfills (chain_id, row_key, next_block, last_block)
         SELECT $1, key, $3, $4 FROM unnest($2::text[]) AS key ON CONFLICT DO NOTHING`,
        [chainId, keys, from, upTo.block],
      );
    });
  }

  /** Returns the rows that are furthest behind, or null when all are read. */
  async gap(chainId: number): Promise<RowGap | null> {
    const { rows } = await this.pool.query<{ keys: string[]; next: string; last: string }>(
      `SELECT array_agg(row_key ORDER BY row_key) AS keys, next_block AS next, last_block AS last FROM row_backfills
       WHERE chain_id = $1 AND next_block <= last_block GROUP BY next_block, last_block ORDER BY next_block LIMIT 1`,
      [chainId],
    );
    const [found] = rows;
    return found ? { keys: found.keys, next: BigInt(found.next), last: BigInt(found.last) } : null;
  }

  /**
   * Writes the blocks of a gap up to one.
   * @throws SupersededError when another instance did, or the chain changed
   */
  async fill(chainId: number, gap: RowGap, to: bigint, cursor: Cursor, range: IndexedRange): Promise<void> {
    await this.index.write(chainId, range, async (tx) => {
      const stands = await tx.query(
        'SELECT 1 FROM cursors WHERE chain_id = $1 AND block = $2 AND hash = $3 FOR SHARE',
        [chainId, cursor.block, cursor.hash],
      );
      const moved = await tx.query(
        'UPDATE row_backfills SET next_block = $4 WHERE chain_id = $1 AND row_key = ANY($2) AND next_block = $3',
        [chainId, gap.keys, gap.next, to + 1n],
      );
      if (stands.rowCount !== 1 || moved.rowCount !== gap.keys.length) throw new SupersededError(chainId);
    });
  }
}
