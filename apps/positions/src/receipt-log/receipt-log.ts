import { Inject, Injectable } from '@nestjs/common';
import { type SqlExecutor } from '@plimsoll/event-bus';
import { type Range, rootOfNodes, rootOfSubtrees, subtreesOf } from '@plimsoll/receipts';
import { inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { sha256 } from '../receipt-signing/sha-256';

const LOCK = "SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:positions:receipt-log', 0))";
/** Stored are the nodes of every eighth level. Those between are computed from at most 256 of them. */
const LEVELS = 8;
const WIDTH = 2 ** LEVELS;

/** Two accounts may have the same receipt, signed in the same millisecond. The log has it once. */
const TAKE = `
WITH taken AS (
  DELETE FROM receipt_log_waiting
  WHERE id IN (SELECT id FROM receipt_log_waiting ORDER BY id LIMIT $1) RETURNING id, leaf
), leaves AS (
  SELECT leaf, min(id) AS id FROM taken
  WHERE NOT EXISTS (SELECT FROM receipt_log_nodes WHERE level = 0 AND hash = leaf) GROUP BY leaf
), added AS (
  INSERT INTO receipt_log_nodes (index, level, hash)
  SELECT $2::bigint + row_number() OVER (ORDER BY id) - 1, 0, leaf FROM leaves RETURNING index
)
SELECT (SELECT count(*)::int FROM taken) AS taken, (SELECT count(*)::int FROM added) AS added`;

const BLOCKS = `
SELECT index / ${WIDTH} AS index, array_agg(hash ORDER BY index) AS hashes FROM receipt_log_nodes
WHERE level = $1 AND index >= $2::bigint * ${WIDTH} AND index < $3::bigint * ${WIDTH} GROUP BY 1 ORDER BY 1`;

const NODES = `
SELECT array_agg(hash ORDER BY node.index) AS hashes
FROM unnest($1::smallint[], $2::bigint[], $3::bigint[]) WITH ORDINALITY AS wanted (level, first, count, place)
JOIN receipt_log_nodes node
  ON node.level = wanted.level AND node.index >= first AND node.index < first + count
GROUP BY place ORDER BY place`;

/** The tree of all receipts, in the order in which they were logged. It only grows. */
@Injectable()
export class ReceiptLog {
  constructor(@Inject(Pool) private readonly pool: Pool) {}

  /** Appends the leaves that wait longest, at most this many. Returns how many waited. */
  append(limit: number): Promise<number> {
    return this.exclusively(async (tx) => {
      const size = await this.size(tx);
      const { rows } = await tx.query<{ taken: number; added: number }>(TAKE, [limit, size]);
      const { taken, added } = rows[0]!;
      await addNodes(tx, size, size + added);
      return taken;
    });
  }

  /** Runs work while no other instance changes the log. */
  exclusively<T>(work: (tx: PoolClient) => Promise<T>): Promise<T> {
    return inTransaction(this.pool, async (tx) => {
      await tx.query(LOCK);
      return work(tx);
    });
  }

  async size(tx: SqlExecutor): Promise<number> {
    const { rows } = await tx.query<{ size: string }>(
      'SELECT coalesce(max(index) + 1, 0) AS size FROM receipt_log_nodes WHERE level = 0',
    );
    return Number(rows[0]!.size);
  }

  /** The place of a leaf. Null: the log does not have it. */
  async indexOf(leaf: Uint8Array): Promise<number | null> {
    const { rows } = await this.pool.query<{ index: string }>(
      'SELECT index FROM receipt_log_nodes WHERE level = 0 AND hash = $1',
      [leaf],
    );
    return rows[0] ? Number(rows[0].index) : null;
  }

  /** The roots of ranges of a proof. A range reads fewer than 256 nodes of each stored level. */
  async roots(ranges: readonly Range[], tx: SqlExecutor = this.pool): Promise<Uint8Array[]> {
    const subtrees = ranges.map(subtreesOf);
    const wanted = subtrees.flat().map(({ level, index }) => {
      const count = 2 ** (level % LEVELS);
      return { level: level - (level % LEVELS), first: index * count, count };
    });
    const { rows } = await tx.query<{ hashes: Uint8Array[] }>(NODES, [
      wanted.map(({ level }) => level),
      wanted.map(({ first }) => first),
      wanted.map(({ count }) => count),
    ]);
    const hashes = rows.map((row) => rootOfNodes(sha256, row.hashes));
    let at = 0;
    return subtrees.map(({ length }) => rootOfSubtrees(sha256, hashes.slice(at, (at += length))));
  }
}

/** Stores the roots of the subtrees that new leaves completed. */
async function addNodes(tx: PoolClient, sizeBefore: number, sizeAfter: number): Promise<void> {
  let [from, to] = [Math.floor(sizeBefore / WIDTH), Math.floor(sizeAfter / WIDTH)];
  for (let level = 0; from < to; level += LEVELS) {
    const { rows } = await tx.query<{ index: string; hashes: Uint8Array[] }>(BLOCKS, [level, from, to]);
    await tx.query(
      'INSERT INTO receipt_log_nodes (index, level, hash) SELECT index, $1, hash FROM unnest($2::bigint[], $3::bytea[]) AS node (index, hash)',
      [level + LEVELS, rows.map(({ index }) => index), rows.map(({ hashes }) => rootOfNodes(sha256, hashes))],
    );
    [from, to] = [Math.floor(from / WIDTH), Math.floor(to / WIDTH)];
  }
}
