import { inTransaction } from '@plimsoll/service-kit';
import type { Pool } from 'pg';

const LOCK = 'SELECT pg_advisory_xact_lock(hashtextextended($1, 0))';
/** The longest history of a tier is 365 days. */
const RETENTION_DAYS = 366;
const DAY_MS = 86_400_000;

/** A partition that holds one UTC month. */
export interface MonthPartition {
  /** Sorts in the order of the months. */
  name: string;
  from: Date;
  /** The first moment that is not in it. */
  to: Date;
}

/** The partition of the month that is `monthsAhead` months after the month of `at`. */
export function monthPartition(table: string, at: Date, monthsAhead = 0): MonthPartition {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + monthsAhead];
  const from = new Date(Date.UTC(year, month));
  const name = `${table}_${from.toISOString().slice(0, 7).replace('-', '_')}`;
  return { name, from, to: new Date(Date.UTC(year, month + 1)) };
}

/** The monthly partitions of a table. */
export class MonthPartitions {
  /** @param lock name of the lock under which instances create partitions */
  constructor(
    private readonly pool: Pool,
    private readonly table: string,
    private readonly lock: string,
  ) {}

  /** Creates the partitions of this month and of the next. */
  async make(now: Date): Promise<void> {
    for (const monthsAhead of [0, 1])
      await this.createPartition(monthPartition(this.table, now, monthsAhead));
  }

  /** Drops the partitions in which every row is beyond retention. */
  async drop(now: Date): Promise<void> {
    const oldest = monthPartition(this.table, new Date(now.getTime() - RETENTION_DAYS * DAY_MS)).name;
    const { rows } = await this.pool.query<{ name: string }>(
      `SELECT relname AS name FROM pg_inherits JOIN pg_class ON pg_class.oid = inhrelid
       WHERE inhparent = '${this.table}'::regclass AND relname < $1`,
      [oldest],
    );
    for (const { name } of rows) await this.pool.query(`DROP TABLE IF EXISTS "${name}"`);
  }

  private async createPartition({ name, from, to }: MonthPartition): Promise<void> {
    const exists = 'SELECT to_regclass($1) IS NOT NULL AS "isThere"';
    const { rows } = await this.pool.query<{ isThere: boolean }>(exists, [name]);
    if (rows[0]?.isThere) return;
    await inTransaction(this.pool, async (tx) => {
      // Two instances that create the same partition at the same time would fail.
      await tx.query(LOCK, [this.lock]);
      await tx.query(
        `CREATE TABLE IF NOT EXISTS "${name}" PARTITION OF ${this.table}
         FOR VALUES FROM ('${from.toISOString()}') TO ('${to.toISOString()}')`,
      );
    });
  }
}
