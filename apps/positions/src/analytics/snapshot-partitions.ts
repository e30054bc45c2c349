import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { MonthPartitions } from '../partitions/month-partitions';

/** The monthly partitions of the snapshots. */
@Injectable()
export class SnapshotPartitions extends MonthPartitions {
  constructor(@Inject(Pool) pool: Pool) {
    super(pool, 'position_snapshots', 'plimsoll:positions:snapshots');
  }
}
