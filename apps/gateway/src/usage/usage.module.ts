import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity';
import { MinutePartitions, MinuteRetention } from './minute-partitions';
import { RequestTally } from './request-tally';
import { Usage } from './usage';
import { UsageController } from './usage.controller';
import { UsageWriter } from './usage-writer';

/** Counts the requests of accounts and reports them. */
@Module({
  imports: [IdentityModule],
  controllers: [UsageController],
  providers: [MinutePartitions, MinuteRetention, RequestTally, Usage, UsageWriter],
  exports: [RequestTally, Usage],
})
export class UsageModule {}
