import { Module } from '@nestjs/common';
import { AnswerCleaner } from './answer-cleaner';
import { AnswerStore } from './answer-store';
import { AnswersRepository } from './answers.repository';

/** Stores answers with their facts for some days. */
@Module({
  providers: [AnswerCleaner, AnswersRepository, AnswerStore],
  exports: [AnswerStore],
})
export class AuditModule {}
