import { Module } from '@nestjs/common';
import { AnswersModule } from '../answers/answers.module';
import { AuditModule } from '../audit/audit.module';
import { FactsModule } from '../facts/facts.module';
import { Prover } from './prover';
import { SuggestionsController } from './suggestions.controller';
import { SuggestionsService } from './suggestions.service';

/** Suggests proved actions for positions in danger. */
@Module({
  imports: [AnswersModule, AuditModule, FactsModule],
  controllers: [SuggestionsController],
  providers: [Prover, SuggestionsService],
})
export class SuggestionsModule {}
