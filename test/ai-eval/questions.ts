import { exactQuestions, type Draft } from './exact-questions';
import { injections } from './injections';
import type { Market } from './market';
import type { Category, EvalQuestion } from './question';
import { severalQuestions } from './several-questions';
import { staleQuestions } from './stale-questions';
import { unanswerableQuestions } from './unanswerable-questions';

/** Number of questions of each kind. */
export const COUNTS: Readonly<Record<Category, number>> = {
  exact: 150,
  several: 30,
  unanswerable: 60,
  injection: 60,
  stale: 20,
};

const WRITERS: Readonly<Record<Category, (market: Market) => Draft[]>> = {
  exact: exactQuestions,
  several: severalQuestions,
  unanswerable: unanswerableQuestions,
  injection: injections,
  stale: staleQuestions,
};

/** Every question over a recorded market. @throws when there are too few */
export function questionsOf(market: Market): EvalQuestion[] {
  return (Object.keys(COUNTS) as Category[]).flatMap((category) => {
    const drafts = WRITERS[category](market).slice(0, COUNTS[category]);
    if (drafts.length < COUNTS[category])
      throw new Error(
        `${drafts.length} questions of kind ${category}, ${COUNTS[category]} are needed: record a larger market`,
      );
    return drafts.map((draft, at) => ({ id: `${category}-${at + 1}`, category, ...draft }));
  });
}
