import { Inject, Injectable } from '@nestjs/common';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool } from 'pg';
import { type Cursor, SupersededError } from './cursor';
import { IndexStore, type IndexedRange } from './index-store';

/** Rows that are read together, and the blocks that are still to be read for them; both ends included. */
export interface RowGap {
  keys: readonly string[];
  next: bigint;
  last: bigint;
}

/** How far rows of the registry that are new to a chain are read. */
@Injectable()
export class RowBackfillStore {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly index: IndexStore,
  ) {}

  /**
   * Notes the rows that are read from now on. Those that were not before are to be read from a block on; those that are
   * read no more are forgotten, so that they are read anew when they come back.
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

  /** The rows that are furthest behind; null: all are read. */
  async gap(chainId: number): Promise<RowGap | null> {
    const { rows } = await this.pool.query<{ keys: string[]; next: string; last: string }>(
      `SELECT array_agg(row_key ORDER BY row_key) AS keys, next_block AS next, last_block AS last FROM row_backfills
       WHERE chain_id = $1 AND next_block <= last_block GROUP BY next_block, last_block ORDER BY next_block LIMIT 1`,
      [chainId],
    );
    const [found] = rows;
    return found ? { keys: found.keys, next: BigInt(found.next), last: BigInt(found.last) } : null;
  }

  /** Writes what the blocks of a gap up to one say. @throws SupersededError when another instance did, or the chain changed */
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
