import { Module } from '@nestjs/common';
import { ModelModule } from '../model/model.module';
import { AnswerComposer } from './answer-composer';
import { AnswerWriter } from './answer-writer';

/** Writes answers, by the model or by templates, and verifies them. */
@Module({
  imports: [ModelModule],
  providers: [AnswerComposer, AnswerWriter],
  exports: [AnswerComposer],
})
export class AnswersModule {}
