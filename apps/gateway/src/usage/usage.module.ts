import { Module } from '@nestjs/common';
import { IdentityModule } from '../identity';
import { RequestTally } from './request-tally';
import { Usage } from './usage';
import { UsageController } from './usage.controller';
import { UsageWriter } from './usage-writer';

/** Counts the requests of accounts and reports them. */
@Module({
  imports: [IdentityModule],
  controllers: [UsageController],
  providers: [RequestTally, Usage, UsageWriter],
  exports: [RequestTally, Usage],
})
export class UsageModule {}
