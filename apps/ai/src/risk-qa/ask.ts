import { cannotAnswer } from '../answers/cannot-answer';
import type { DraftAnswer } from '../facts/draft-answer';
import { type Phrase, say } from '../answers/say';
import type { FactReaders } from '../facts/fact-readers';
import type { PositionFacts } from '../facts/position-facts';
import type { Reading } from '../facts/reading';
import type { Question } from '../questions/question';

/** A question with the tools to answer it. */
export interface Ask {
  question: Question;
  reading: Reading;
  readers: FactReaders;
}

/** Reads the facts of a topic and writes its claims. */
export type TopicWriter = (ask: Ask) => Promise<DraftAnswer>;

/** Positions that an answer describes one by one. A longer list is reduced to totals and the worst position. */
export const DESCRIBED = 5;

/** The positions of a question, lowest health factor first, or the reason why there is no answer. */
export async function positionsOf(ask: Ask): Promise<PositionFacts[] | DraftAnswer> {
  const { question, reading, readers } = ask;
  const read = await readers.positions.read(reading, question);
  if (read === null) return cannotAnswer('unavailable');
  if (read.unknown.length > 0) return cannotAnswer('unknown_position');
  if (read.positions.length === 0) return cannotAnswer('no_positions');
  if (question.positionIds.length > 0) return read.positions;
  const protocols = await readers.protocols.named(reading, question.words);
  const fitting = read.positions.filter(
    ({ raw }) => protocols.length === 0 || protocols.includes(raw.protocol),
  );
  return fitting.length > 0 ? fitting : cannotAnswer('no_match');
}

export function isDraft(found: PositionFacts[] | DraftAnswer): found is DraftAnswer {
  return 'cannotAnswer' in found;
}

/** Positions with debt. */
export function withDebt(positions: readonly PositionFacts[]): PositionFacts[] {
  return positions.filter(({ raw }) => raw.healthFactor !== null);
}

export function named({ id, protocol }: PositionFacts): Phrase {
  return say`position ${id} (${protocol})`;
}
