import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module';
import { AuditModule } from '../audit/audit.module';
import { FactsModule } from '../facts/facts.module';
import { RiskQaController } from './risk-qa.controller';
import { RiskQaService } from './risk-qa.service';

/** Answers questions about risk. */
@Module({
  imports: [AnswersModule, AuditModule, FactsModule],
  controllers: [RiskQaController],
  providers: [RiskQaService],
})
export class RiskQaModule {}
