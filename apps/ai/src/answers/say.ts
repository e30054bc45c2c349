import type { Fact } from '../facts/fact';
import type { Claim } from '../facts/draft-answer';
import { formatFact } from './format';

/** Words with their facts. */
export interface Phrase {
  readonly text: string;
  readonly factIds: readonly string[];
}

type Part = Fact | Phrase | string;

const isFact = (part: Fact | Phrase): part is Fact => 'value' in part;

function phrase(part: Part): Phrase {
  if (typeof part === 'string') return { text: part, factIds: [] };
  return isFact(part) ? { text: formatFact(part), factIds: [part.id] } : part;
}

/**
 * A sentence, or a part of one, whose figures are facts: say`The index is ${index.gri}.` Words are text and
 * facts are parameters of the template, so a figure without a fact cannot be written.
 */
export function say(words: TemplateStringsArray, ...parts: readonly Part[]): Claim {
  const phrases = parts.map(phrase);
  return {
    text: words.map((word, at) => word + (phrases[at]?.text ?? '')).join(''),
    factIds: [...new Set(phrases.flatMap(({ factIds }) => factIds))],
  };
}

/** Phrases in a row: "a, b and c". */
export function listed(parts: readonly Part[]): Phrase {
  const phrases = parts.map(phrase);
  const texts = phrases.map(({ text }) => text);
  const last = texts.pop() ?? '';
  return {
    text: texts.length > 0 ? `${texts.join(', ')} and ${last}` : last,
    factIds: [...new Set(phrases.flatMap(({ factIds }) => factIds))],
  };
}
