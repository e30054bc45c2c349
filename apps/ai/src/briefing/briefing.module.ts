import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module';
import { AuditModule } from '../audit/audit.module';
import { FactsModule } from '../facts/facts.module';
import { BriefingController } from './briefing.controller';
import { BriefingService } from './briefing.service';

/** Summarises what changed within a timeframe. */
@Module({
  imports: [AnswersModule, AuditModule, FactsModule],
  controllers: [BriefingController],
  providers: [BriefingService],
})
export class BriefingModule {}
