import { Inject, Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { MonthPartitions } from '../partitions/month-partitions';

/** The monthly partitions of the rates by hour. */
@Injectable()
export class RatePartitions extends MonthPartitions {
  constructor(@Inject(Pool) pool: Pool) {
    super(pool, 'market_rate_hours', 'plimsoll:positions:market-rates');
  }
}
