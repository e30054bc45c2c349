import { Module } from '@nestjs/common';
import { CorrelatedRisk } from './correlated-risk';

/** The probability of liquidation of correlated positions. */
@Module({
  providers: [CorrelatedRisk],
  exports: [CorrelatedRisk],
})
export class BandsModule {}
