import type { DraftAnswer } from '../facts/draft-answer';
import type { Fact } from '../facts/fact';
import { KnownNames } from './known-names';

/**
 * The names of facts that a draft may use: a few of hundreds of positions are in it. All readers of its
 * figures use these names, because a mark means the same name in all of them.
 * @param facts all of the answer, by id
 */
export function namesOfDraft(draft: DraftAnswer, facts: ReadonlyMap<string, Fact>): KnownNames {
  return new KnownNames(facts.values(), textsOf(draft, facts));
}

/** All scanned texts: the claims, and the texts of their facts. */
function* textsOf({ claims }: DraftAnswer, facts: ReadonlyMap<string, Fact>): Generator<string> {
  for (const { text } of claims) yield text;
  for (const id of new Set(claims.flatMap(({ factIds }) => factIds))) {
    const fact = facts.get(id);
    if (fact) yield `${fact.label} ${fact.value}`;
  }
}
