import { Module } from '@nestjs/common';
import { TrackingModule } from '../tracking/tracking.module';
import { RuleConsumer } from './rule.consumer';

/** Tracks the positions of automation rules. */
@Module({
  imports: [TrackingModule],
  controllers: [RuleConsumer],
})
export class RulesModule {}
