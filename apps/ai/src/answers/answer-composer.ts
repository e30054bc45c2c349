import { Injectable } from '@nestjs/common';
import { AccountSlots } from '@plimsoll/service-kit';
import type { Fact } from '../facts/fact';
import type { FactSheet } from '../facts/fact-sheet';
import { ANSWERS } from '../facts/reading';
import type { Claim, DraftAnswer } from '../facts/draft-answer';
import { type AnswerTask, type WrittenAnswer, AnswerWriter } from './answer-writer';

/** An answer with its generator and its facts. */
export type ComposedAnswer = Omit<WrittenAnswer, 'verification'>;

/** States that something is missing or old. It has no figures, because they would need their own facts. */
const MISSING = 'Not everything could be read; the answer lists what is missing.';
const STALE = 'Some of these figures are old: their sources say so.';

/** Produces answers only from the facts of a sheet. */
@Injectable()
export class AnswerComposer {
  constructor(
    private readonly writer: AnswerWriter,
    private readonly slots: AccountSlots,
  ) {}

  /** @param template what the templates make of the same facts */
  async compose(task: AnswerTask, sheet: FactSheet, template: () => DraftAnswer): Promise<ComposedAnswer> {
    await this.slots.yieldToLighter(ANSWERS, task.asker.identity.accountId);
    return this.writer.answer(task, sheet.facts, template);
  }

  /**
   * The facts of our own words beside an answer. @throws internal when the words are not supported by facts
   */
  factsOf(claims: readonly Claim[], sheet: FactSheet): Fact[] {
    return this.writer.factsOf({ claims, cannotAnswer: null }, sheet.facts);
  }
}

/** The text of an answer: its claims, and warnings about their facts. */
export function answerText({ draft, facts }: ComposedAnswer, sheet: FactSheet): string {
  const said = draft.cannotAnswer ?? draft.claims.map(({ text }) => text).join(' ');
  const notes = [
    ...(facts.some(({ isStale }) => isStale) ? [STALE] : []),
    ...(sheet.missing.length > 0 ? [MISSING] : []),
  ];
  return [said, ...notes].join(' ');
}

/** The claims of a section as text. */
export function sectionText(claims: readonly Claim[], section: string | undefined): string {
  return claims
    .filter((claim) => claim.section === section)
    .map(({ text }) => text)
    .join(' ');
}
