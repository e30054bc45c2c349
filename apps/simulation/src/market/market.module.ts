import { Module } from '@nestjs/common';
import { Covariances } from './covariances';
import { LogFollower } from './log-follower';
import { PriceHistories } from './price-histories';

/** Price histories and covariances of market-data, in memory. */
@Module({
  providers: [Covariances, LogFollower, PriceHistories],
  exports: [Covariances, PriceHistories],
})
export class MarketModule {}
