import { type TimePartition, TimePartitions } from '@plimsoll/service-kit';
import type { Pool } from 'pg';

/** The longest history of a tier is 365 days. */
const RETENTION_DAYS = 366;

/** The partition of the month that is `monthsAhead` months after the month of `at`. */
export function monthPartition(table: string, at: Date, monthsAhead = 0): TimePartition {
  const [year, month] = [at.getUTCFullYear(), at.getUTCMonth() + monthsAhead];
  const from = new Date(Date.UTC(year, month));
  const name = `${table}_${from.toISOString().slice(0, 7).replace('-', '_')}`;
  return { name, from, to: new Date(Date.UTC(year, month + 1)) };
}

/** The monthly partitions of a table. */
export class MonthPartitions extends TimePartitions {
  /** @param lock name of the lock under which instances create partitions */
  constructor(pool: Pool, table: string, lock: string) {
    const partitionOf = (at: Date, ahead: number): TimePartition => monthPartition(table, at, ahead);
    super(pool, { name: table, partitionOf, retentionDays: RETENTION_DAYS, lock });
  }
}
