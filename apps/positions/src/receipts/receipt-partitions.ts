import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { type TimePartition, TimePartitions } from '../partitions/time-partitions';

const TABLE = 'receipts';
const RETENTION_DAYS = 90;

/** The partition of the UTC day that is `daysAhead` days after the day of `at`. */
export function dayPartition(at: Date, daysAhead = 0): TimePartition {
  const [year, month, day] = [at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate() + daysAhead];
  const from = new Date(Date.UTC(year, month, day));
  const name = `${TABLE}_${from.toISOString().slice(0, 10).replaceAll('-', '_')}`;
  return { name, from, to: new Date(Date.UTC(year, month, day + 1)) };
}

/** The daily partitions of the receipts. */
@Injectable()
export class ReceiptPartitions extends TimePartitions {
  constructor(@Inject(Pool) pool: Pool) {
    super(pool, {
      name: TABLE,
      partitionOf: dayPartition,
      retentionDays: RETENTION_DAYS,
      lock: 'plimsoll:positions:receipts',
    });
  }
}
