import { Inject, Injectable } from '@nestjs/common';
import { TimePartitions, dayPartition } from '@plimsoll/service-kit';
import { Pool } from 'pg';

const TABLE = 'receipts';
const RETENTION_DAYS = 90;

/** The daily partitions of the receipts. */
@Injectable()
export class ReceiptPartitions extends TimePartitions {
  constructor(@Inject(Pool) pool: Pool) {
    super(pool, {
      name: TABLE,
      partitionOf: (at, ahead) => dayPartition(TABLE, at, ahead),
      retentionDays: RETENTION_DAYS,
      lock: 'plimsoll:positions:receipts',
    });
  }
}
