import { Injectable } from '@nestjs/common';
import { MAX_QUESTION_CHARS, type RiskQaAnswer } from '@plimsoll/contracts';
import type { DraftAnswer } from '../facts/draft-answer';
import { AnswerComposer, answerText } from '../answers/answer-composer';
import { cannotAnswer, ofAPart } from '../answers/cannot-answer';
import { AnswerStore, type StoredAnswer } from '../audit/answer-store';
import { ReadingFactory, type Asker, type Reading } from '../facts/reading';
import { FactReaders } from '../facts/fact-readers';
import { parseQuestion } from '../questions/parse-question';
import { plainText } from '../facts/plain-text';
import { TOPIC_WRITERS } from './topic-writers';

@Injectable()
export class RiskQaService {
  constructor(
    private readonly readers: FactReaders,
    private readonly readings: ReadingFactory,
    private readonly composer: AnswerComposer,
    private readonly keeper: AnswerStore,
  ) {}

  async answer(asker: Asker, asked: string): Promise<StoredAnswer<RiskQaAnswer>> {
    const question = plainText(asked, MAX_QUESTION_CHARS);
    const reading = this.readings.open(asker);
    const template = await this.templateOf(reading, question);
    const composed = await this.composer.compose(
      { kind: 'risk-qa', question, asker },
      reading.sheet,
      () => template,
    );
    const { draft, facts, confidence, sources } = composed;
    return this.keeper.store(asker, { kind: 'risk-qa', question, reading, composed }, (answerId) => ({
      answer: answerText(composed, reading.sheet),
      answered: draft.cannotAnswer === null,
      facts,
      answerId,
      confidence,
      sources,
      missing: reading.sheet.missing,
    }));
  }

  private async templateOf(reading: Reading, text: string): Promise<DraftAnswer> {
    const question = parseQuestion(text);
    if (question.refusal !== null) return cannotAnswer(question.refusal);
    if (question.topic === null) return cannotAnswer('not_covered');
    const draft = await TOPIC_WRITERS[question.topic]({ question, reading, readers: this.readers });
    return reading.sheet.isPartial ? ofAPart(draft) : draft;
  }
}
