import { Injectable, Logger } from '@nestjs/common';
import { newId, ANSWER_GENERATOR_HEADER, type AnswerGenerator } from '@plimsoll/contracts';
import { AccountSlots, Clock, within } from '@plimsoll/service-kit';
import type { FastifyReply } from 'fastify';
import type { ComposedAnswer } from '../answers/answer-composer';
import { ANSWERS, type Asker, type Reading } from '../facts/reading';
import { answersTotal, unstoredAnswers } from '../metrics';
import { AnswersRepository } from './answers.repository';
import { withoutSecrets } from './without-secrets';

/** Longest time that an answer waits for its row. */
const DEADLINE_MS = 3_000;

/** The final answer, with the value of its header. */
export interface StoredAnswer<T> {
  generator: AnswerGenerator;
  body: T;
}

/** The data that is stored beside the answer. */
export interface AnswerContext {
  kind: 'risk-qa' | 'suggestions' | 'briefing' | 'postmortem';
  question: string;
  reading: Reading;
  composed: Pick<ComposedAnswer, 'generator' | 'confidence' | 'prompt'>;
}

/** Stores every answer, with its question, facts and prompt, before it is returned. */
@Injectable()
export class AnswerStore {
  private readonly logger = new Logger(AnswerStore.name);

  constructor(
    private readonly answers: AnswersRepository,
    private readonly slots: AccountSlots,
    private readonly clock: Clock,
  ) {}

  /** An answer that cannot be stored is still returned, and counted. */
  async store<T extends object>(
    { identity }: Asker,
    { kind, question, reading, composed }: AnswerContext,
    bodyOf: (answerId: string) => T,
  ): Promise<StoredAnswer<T>> {
    await this.slots.yieldToLighter(ANSWERS, identity.accountId);
    const { generator, confidence, prompt } = composed;
    const id = newId('ans');
    const body = bodyOf(id);
    const row = {
      id,
      accountId: identity.accountId,
      kind,
      requestId: identity.requestId,
      question: withoutSecrets(question),
      facts: [...reading.sheet.facts.values()],
      answer: body,
      prompt: prompt === null ? null : (JSON.parse(withoutSecrets(JSON.stringify(prompt))) as object),
      generator,
      confidence,
      createdAtMs: this.clock.now(),
    };
    try {
      await within(DEADLINE_MS, this.answers.insert(row), () => new Error('the row took too long'));
    } catch (error) {
      unstoredAnswers.inc();
      this.logger.error({ msg: 'an answer could not be stored for audit', answerId: id, err: error });
    }
    answersTotal.inc({ kind, generator });
    return { generator, body };
  }
}

/** The body of an answer, its header set. */
export function sent<T>(reply: FastifyReply, { generator, body }: StoredAnswer<T>): T {
  void reply.header(ANSWER_GENERATOR_HEADER, generator);
  return body;
}
