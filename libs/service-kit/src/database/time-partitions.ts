import type { Pool } from 'pg';
import { inTransaction } from './transaction';

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
const DAY_MS = 86_400_000;

/** A partition that holds a range of time. */
export interface TimePartition {
  /** Sorts in the order of time. */
  name: string;
  from: Date;
  /** The first moment that is not in it. */
  to: Date;
}

/** The partition of a table for the UTC day that is `daysAhead` days after the day of `at`. */
export function dayPartition(table: string, at: Date, daysAhead = 0): TimePartition {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + daysAhead];
  const from = new Date(Date.UTC(year, month, day));
  const name = `${table}_${from.toISOString().slice(0, 10).replaceAll('-', '_')}`;
  return { name, from, to: new Date(Date.UTC(year, month, day + 1)) };
}

/** A table with partitions of one length. */
export interface PartitionedTable {
  name: string;
  /** The partition that is `ahead` partitions after that of `at`. */
  partitionOf(at: Date, ahead: number): TimePartition;
  retentionDays: number;
  /** Name of the lock under which instances create partitions. */
  lock: string;
}

/** The partitions of one table. */
export class TimePartitions {
  constructor(
    private readonly pool: Pool,
    private readonly table: PartitionedTable,
  ) {}

  /** Creates the partition of now and the next one. */
  async make(now: Date): Promise<void> {
    for (const ahead of [0, 1]) await this.createPartition(this.table.partitionOf(now, ahead));
  }

  /** Drops the partitions in which every row is beyond retention. */
  async drop(now: Date): Promise<void> {
    const { name: table, partitionOf, retentionDays } = this.table;
    const oldest = partitionOf(new Date(now.getTime() - retentionDays * DAY_MS), 0).name;
    const { rows } = await this.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = $1::regclass AND relname < $2`,
      [table, oldest],
    );
    for (const { name } of rows) await this.pool.query(`DROP TABLE IF EXISTS "${name}"`);
  }

  private async createPartition({ name, from, to }: TimePartition): Promise<void> {
    const exists = 'SELECT to_regclass($1) IS NOT NULL AS "isThere"';
    const { rows } = await this.pool.query<{ isThere: boolean }>(exists, [name]);
    if (rows[0]?.isThere) return;
    await inTransaction(this.pool, async (tx) => {
      // Two instances that create the same partition at the same time would fail.
      await tx.query(LOCK, [this.table.lock]);
      await tx.query(
        `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF "${this.table.name}"
         FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      );
    });
  }
}
