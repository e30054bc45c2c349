import { Inject, Injectable } from '@nestjs/common';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import type { Permission } from '@plimsoll/protocols';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import type { Hex } from 'viem';
import { WhalesConfig } from '../config';
import { PrismaClient } from '../generated/prisma/client';
import { activitiesIndexed, revertedActivities, unpricedActivities } from '../metrics';
import { type ActivityRow, whaleEvent } from '../activity-row';
import { deleteActivity, insertActivity } from './activity-sql';
import { type Cursor, SupersededError } from './chain-access';

/** Checkpoints that are kept in addition to the lowest one. */
const CHECKPOINTS = 512;
/** Rows that one statement deletes, so that the cleaner never holds locks for long. */
const DELETE_ROWS = 5_000;

/** The content of one range of blocks. */
export interface IndexedRange {
  activities: readonly ActivityRow[];
  permissions: readonly Permission[];
}

/** The tables of the index. A range, its cursor and its events are one transaction. */
@Injectable()
export class IndexStore {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
    private readonly config: WhalesConfig,
  ) {}

  /** Null when nothing of the chain was read yet. */
  async cursor(chainId: number): Promise<Cursor | null> {
    const found = await this.prisma.cursor.findUnique({ where: { chainId } });
    return found && { block: found.block, hash: found.hash as Hex };
  }

  /** Returns earlier blocks of the cursor, newest first. */
  async checkpoints(chainId: number): Promise<Cursor[]> {
    const rows = await this.prisma.checkpoint.findMany({ where: { chainId }, orderBy: { block: 'desc' } });
    return rows.map(({ block, hash }) => ({ block, hash: hash as Hex }));
  }

  /** Returns blocks above the height that have rows. */
  async blocksAbove(
    chainId: number,
    block: bigint,
    db: Pick<PoolClient, 'query'> = this.pool,
  ): Promise<Cursor[]> {
    const { rows } = await db.query<{ block: string; hash: Hex }>(
      `SELECT DISTINCT block, block_hash AS hash FROM activity WHERE chain_id = $1 AND block > $2
       UNION SELECT block, block_hash FROM permissions WHERE chain_id = $1 AND block > $2`,
      [chainId, block],
    );
    return rows.map((row) => ({ block: BigInt(row.block), hash: row.hash }));
  }

  /** Sets where reading begins. Another instance may have begun already. */
  async begin(chainId: number, cursor: Cursor): Promise<void> {
    await this.pool.query(
      `WITH begun AS (INSERT INTO cursors (chain_id, block, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING RETURNING 1)
       INSERT INTO checkpoints (chain_id, block, hash) SELECT $1, $2, $3 FROM begun ON CONFLICT DO NOTHING`,
      [chainId, cursor.block, cursor.hash],
    );
  }

  /**
   * Writes the blocks between two cursors, and publishes large moves.
   * @throws SupersededError
   */
  async advance(chainId: number, from: Cursor, to: Cursor, range: IndexedRange): Promise<void> {
    await this.write(chainId, range, async (tx) => {
      await this.move(tx, chainId, from, to);
      await tx.query(
        'INSERT INTO checkpoints (chain_id, block, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [chainId, to.block, to.hash],
      );
      await this.pruneCheckpoints(tx, chainId);
    });
  }

  /**
   * Writes the content of blocks, together with the changes of `first`.
   * @throws SupersededError
   */
  async write(chainId: number, range: IndexedRange, first: (tx: PoolClient) => Promise<void>): Promise<void> {
    const added = await inTransaction(this.pool, async (tx) => {
      await first(tx);
      await insertPermissions(tx, chainId, range.permissions);
      const rows = await insertActivity(tx, range.activities, this.config.WHALE_THRESHOLD_USD);
      const large = rows.filter((row) => row.usd !== null && row.usd >= this.config.WHALE_THRESHOLD_USD);
      await publishMoves(tx, large, 'observed');
      return rows;
    });
    for (const { protocol, usd } of added) {
      activitiesIndexed.inc({ chain: chainId, protocol });
      if (usd === null) unpricedActivities.inc({ chain: chainId, protocol });
    }
  }

  /**
   * Rewinds the cursor to a block that is still part of the chain, and deletes the rows of orphaned blocks.
   * @param looked higher blocks with rows, and whether each is still part of the chain
   * @throws SupersededError also when rows of other blocks were written meanwhile
   */
  async rewind(
    chainId: number,
    from: Cursor,
    to: Cursor,
    looked: readonly { hash: Hex; isGone: boolean }[],
  ): Promise<number> {
    const gone = looked.flatMap(({ hash, isGone }) => (isGone ? hash : []));
    const reverted = await inTransaction(this.pool, async (tx) => {
      await this.move(tx, chainId, from, to);
      const written = await this.blocksAbove(chainId, to.block, tx);
      const known = new Set(looked.map(({ hash }) => hash));
      if (written.some(({ hash }) => !known.has(hash))) throw new SupersededError(chainId);
      // The back-fill continues below the remaining block.
      await tx.query('UPDATE row_backfills SET last_block = least(last_block, $2) WHERE chain_id = $1', [
        chainId,
        to.block,
      ]);
      await tx.query('DELETE FROM checkpoints WHERE chain_id = $1 AND block > $2', [chainId, to.block]);
      await tx.query(
        'INSERT INTO checkpoints (chain_id, block, hash) VALUES ($1, $2, $3) ON CONFLICT DO NOTHING',
        [chainId, to.block, to.hash],
      );
      await tx.query('DELETE FROM permissions WHERE chain_id = $1 AND block_hash = ANY($2)', [chainId, gone]);
      // Transfers are read again from there.
      await tx.query('DELETE FROM transfers WHERE chain_id = $1 AND block > $2', [chainId, to.block]);
      await tx.query('DELETE FROM native_funders WHERE chain_id = $1 AND block > $2', [chainId, to.block]);
      await tx.query('UPDATE scanned_wallets SET block = $2 WHERE chain_id = $1 AND block > $2', [
        chainId,
        to.block,
      ]);
      const rows = await deleteActivity(tx, chainId, gone);
      await publishMoves(
        tx,
        rows.filter(({ isPublished }) => isPublished),
        'reverted',
      );
      return rows.length;
    });
    revertedActivities.inc({ chain: chainId }, reverted);
    return reverted;
  }

  /**
   * Deletes moves of addresses that were labelled later. Liquidations stay, because the address did not act
   * in them.
   */
  async forgetLabelled(chainId: number, wallets: readonly string[]): Promise<void> {
    for (let deleted: number | null = DELETE_ROWS; deleted === DELETE_ROWS;) {
      ({ rowCount: deleted } = await this.pool.query(
        `DELETE FROM activity WHERE ctid = ANY(ARRAY(
           SELECT ctid FROM activity WHERE chain_id = $1 AND wallet = ANY($2) AND action <> 'liquidation'
           LIMIT ${DELETE_ROWS}))`,
        [chainId, wallets],
      ));
    }
  }

  private async move(tx: PoolClient, chainId: number, from: Cursor, to: Cursor): Promise<void> {
    const { rowCount } = await tx.query(
      'UPDATE cursors SET block = $4, hash = $5 WHERE chain_id = $1 AND block = $2 AND hash = $3',
      [chainId, from.block, from.hash, to.block, to.hash],
    );
    if (rowCount !== 1) throw new SupersededError(chainId);
  }

  private async pruneCheckpoints(tx: PoolClient, chainId: number): Promise<void> {
    await tx.query(
      `DELETE FROM checkpoints WHERE chain_id = $1
         AND block < (SELECT block FROM checkpoints WHERE chain_id = $1 ORDER BY block DESC OFFSET $2 LIMIT 1)
         AND block > (SELECT min(block) FROM checkpoints WHERE chain_id = $1)`,
      [chainId, CHECKPOINTS],
    );
  }
}

async function publishMoves(
  tx: SqlExecutor,
  rows: readonly ActivityRow[],
  status: 'observed' | 'reverted',
): Promise<void> {
  await appendToOutbox(
    tx,
    rows.flatMap((row) =>
      row.usd === null ? [] : [outgoing('whale.v1', whaleEvent({ ...row, usd: row.usd }, status))],
    ),
  );
}

async function insertPermissions(
  tx: SqlExecutor,
  chainId: number,
  permissions: readonly Permission[],
): Promise<void> {
  if (permissions.length === 0) return;
  await tx.query(
    `INSERT INTO permissions (chain_id, block_hash, log_index, block, wallet, delegate, is_granted)
     SELECT $1, * FROM unnest($2::text[], $3::int[], $4::bigint[], $5::text[], $6::text[], $7::boolean[])
     ON CONFLICT DO NOTHING`,
    [
      chainId,
      permissions.map(({ log }) => log.blockHash),
      permissions.map(({ log }) => Number(log.logIndex)),
      permissions.map(({ log }) => Number(log.blockNumber)),
      permissions.map(({ wallet }) => wallet),
      permissions.map(({ delegate }) => delegate),
      permissions.map(({ isGranted }) => isGranted),
    ],
  );
}
