import type { Fact } from '../facts/fact';
import { visible } from '../facts/characters';
import { plainText } from '../facts/plain-text';
import { type Verification, verify } from '../verification/verify';
import { type NamedFigure, namedFigures } from '../verification/named-figures';
import type { Claim, DraftAnswer } from '../facts/draft-answer';

const MAX_CLAIM_CHARS = 1_000;
const MAX_COMPLAINTS = 20;
/** Words of labels that are in every sentence. */
const COMMON = new Set([
  'position',
  'positions',
  'that',
  'this',
  'with',
  'from',
  'within',
  'when',
  'which',
  'your',
  'value',
  'after',
]);

/** A draft in its final form, and the complaints about it. */
export interface Judged {
  draft: DraftAnswer;
  verification: Verification;
  /** In words with which a writer can correct it. Empty: it is accepted. */
  complaints: string[];
}

/**
 * Removes links, markup and hidden characters from every claim, so that the verified text is the final text.
 */
export function plainDraft({ claims, cannotAnswer }: DraftAnswer): DraftAnswer {
  return {
    claims: claims.map((claim) => ({ ...claim, text: plainText(claim.text, MAX_CLAIM_CHARS) })),
    cannotAnswer,
  };
}

/**
 * Returns a function that compares a model's draft with the facts, and with the answer of the templates, which covers the
 * question. It reads the template once for all drafts. Pure.
 * @param nowMs milliseconds since 1970
 */
export function draftJudge(
  template: DraftAnswer,
  facts: ReadonlyMap<string, Fact>,
  nowMs: number,
): (written: DraftAnswer) => Judged {
  const wanted = namedFigures(template, facts, verify(template, facts, nowMs));
  return (written) => judgeDraft(written, template, wanted, facts, nowMs);
}

function judgeDraft(
  written: DraftAnswer,
  template: DraftAnswer,
  wanted: readonly NamedFigure[],
  facts: ReadonlyMap<string, Fact>,
  nowMs: number,
): Judged {
  const draft = plainDraft(written);
  const verification = verify(draft, facts, nowMs);
  const named = namedFigures(draft, facts, verification);
  const wrong = named.filter(({ candidates }) => candidates.length === 0);
  const complaints = [
    ...(draft.cannotAnswer === null
      ? []
      : ['The facts do answer the question: write what the template says.']),
    ...verification.unsupported.map(
      ({ claim, text, reason }) => `Claim ${claim + 1}: "${text}" ${MEANINGS[reason]}`,
    ),
    ...wrong.map(
      ({ claim, text }) =>
        `Claim ${claim + 1}: "${text}" is the figure of something else than the words beside it say. Put the name of a figure directly before it.`,
    ),
    ...draft.claims.flatMap((claim, at) =>
      faultsOf(claim, written.claims[at]!, facts, template).map((fault) => `Claim ${at + 1}: ${fault}`),
    ),
    ...leftOut(draft, named, template, wanted).map(
      (id) =>
        `The template says ${id}${facts.has(id) ? ` (${facts.get(id)!.label})` : ''}: say it too, in its section.`,
    ),
    ...sectionsLeftOut(draft, template).map((section) => `There is no claim of section ${section}.`),
  ];
  return { draft, verification, complaints: complaints.slice(0, MAX_COMPLAINTS) };
}

const MEANINGS: Readonly<Record<Verification['unsupported'][number]['reason'], string>> = {
  no_fact: 'is no figure, id or name of the facts that it cites.',
  wrong_value: 'is not the value of a fact that it cites.',
  wrong_unit: 'has another unit than the facts that it cites.',
  unknown_fact_id: 'is not the id of a fact.',
};

function faultsOf(
  claim: Claim,
  written: Claim,
  facts: ReadonlyMap<string, Fact>,
  template: DraftAnswer,
): string[] {
  const faults: string[] = [];
  if (claim.text !== visible(written.text)) faults.push('it holds a link or markup.');
  if (claim.text.endsWith('?')) faults.push('it is a question.');
  const isRepeated =
    claim.factIds.length === 0 &&
    template.claims.some(({ text, factIds }) => factIds.length === 0 && text === claim.text);
  if (!isRepeated && !isAboutItsFacts(claim, facts))
    faults.push('it says nothing of the facts that it cites.');
  if (!template.claims.some(({ section }) => section === claim.section))
    faults.push('its section is none of the template.');
  return faults;
}

/**
 * A sentence shares a figure, a value or a word of a label with a fact that it cites. Otherwise it is
 * unrelated.
 */
function isAboutItsFacts({ text, factIds }: Claim, facts: ReadonlyMap<string, Fact>): boolean {
  if (factIds.length > 0 && /\d/.test(text)) return true;
  const words = new Set(text.toLowerCase().match(/\p{L}{4,}/gu) ?? []);
  return factIds.some((id) => {
    const fact = facts.get(id);
    if (!fact) return false;
    const own = `${fact.label} ${typeof fact.value === 'string' ? fact.value : ''}`.toLowerCase();
    return (own.match(/\p{L}{4,}/gu) ?? []).some((word) => !COMMON.has(word) && words.has(word));
  });
}

/** The facts whose figures the template has in a section, and the draft has not. */
function leftOut(
  draft: DraftAnswer,
  written: readonly NamedFigure[],
  template: DraftAnswer,
  wanted: readonly NamedFigure[],
): string[] {
  const places = ({ claims }: DraftAnswer, figures: readonly NamedFigure[], mayBe: boolean): string[] =>
    figures.flatMap(({ claim, candidates }) => {
      const direct = candidates.filter(({ isDerived, isExact }) => !isDerived && !isExact);
      const ids = (mayBe ? direct : direct.slice(0, 1)).flatMap(({ factIds }) => factIds);
      return ids.map((id) => JSON.stringify([claims[claim]?.section, id]));
    });
  const said = new Set(places(draft, written, true));
  const missing = [...new Set(places(template, wanted, false))].filter((place) => !said.has(place));
  return missing.map((place) => (JSON.parse(place) as [unknown, string])[1]);
}

function sectionsLeftOut(draft: DraftAnswer, template: DraftAnswer): string[] {
  const written = new Set(draft.claims.map(({ section }) => section));
  const wanted = new Set(template.claims.map(({ section }) => section));
  return [...wanted].flatMap((section) => (written.has(section) ? [] : JSON.stringify(section ?? null)));
}
