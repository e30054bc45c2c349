import type { DraftAnswer } from '../facts/draft-answer';
import type { Fact } from '../facts/fact';
import type { Candidate } from './candidate';
import { conceptsOf, countedAs, namesOfFact, mentionsMove } from './concepts';
import { namesOfDraft } from './draft-names';
import type { NumberFigure } from './figure';
import { type Place, governingMention, mentionsOf } from './governing-mention';
import type { KnownNames } from './known-names';
import { isAtItsTime, momentOf } from './moments';
import { SUBJECT_KINDS, Subjects, type SubjectKind } from './subjects';
import type { Verification } from './verify';

/** A figure with those of its values that match the words around it. None: it is under a wrong name. */
export interface NamedFigure {
  /** Index of the claim. */
  claim: number;
  /** The original text of the figure. */
  text: string;
  candidates: readonly Candidate[];
}

/** A text must mark figures of all positions with one of these words. */
const OF_ALL = /\b(?:total\w*|together|all|combined|altogether|overall|sum|both|positions)\b/i;

/** A claim's text with its names, and the places of its figures. */
interface MarkedClaim {
  text: string;
  /** The figure under test. */
  own: Place;
  /** All figures, in the order of the text. */
  places: Place[];
}

/**
 * Selects the values of a verified draft's figures that match the words around them. A figure without one is
 * under a wrong name, position, asset, protocol, wallet or time: `the debt is` with the collateral, `goes
 * from` with the later value. Words without a name match any value. Pure.
 */
export function namedFigures(
  draft: DraftAnswer,
  facts: ReadonlyMap<string, Fact>,
  { found }: Pick<Verification, 'found'>,
): NamedFigure[] {
  const names = namesOfDraft(draft, facts);
  const subjects = new Subjects(facts.values());
  const named: NamedFigure[] = [];
  let position: string | null = null;
  draft.claims.forEach((claim, at) => {
    const own = found.filter((each) => each.claim === at);
    const cited = [...new Set(claim.factIds)].flatMap((id) => facts.get(id) ?? []);
    for (const { figure, candidates } of own) {
      const others = own.map((each) => each.figure);
      const reader = new FigureReader(figure, others, names, subjects, position);
      const fitting = candidates.filter((candidate) => {
        // A figure that a label names.
        if (candidate.isExact && candidate.unit !== 'tally') return true;
        const of = candidate.factIds.flatMap((id) => facts.get(id) ?? []);
        return (
          reader.fits(candidate, of, claim.text) &&
          of.every((fact) => mentionsMove(fact, claim.text)) &&
          isTimely(figure, candidate, of, cited)
        );
      });
      named.push({ claim: at, text: figure.text, candidates: fitting });
    }
    position = mentionsOf(claim.text, subjects.said('position')).at(-1)?.key ?? position;
  });
  return named;
}

/** Derives the meaning of a claim's figure from the words of the claim. */
class FigureReader {
  private readonly marked: MarkedClaim;
  private readonly named: MarkedClaim;

  constructor(
    figure: NumberFigure,
    others: readonly NumberFigure[],
    names: KnownNames,
    private readonly subjects: Subjects,
    private readonly positionBefore: string | null,
  ) {
    const whole = ({ before, text, after }: NumberFigure): string => before + text + after;
    const beside = others.filter((other) => whole(other) === whole(figure));
    const located = (plain: (text: string) => string): MarkedClaim => {
      const place = ({ before, text }: NumberFigure): Place => {
        const at = plain(before).length;
        return { at, end: at + text.length };
      };
      const places = beside.map(place).toSorted((a, b) => a.at - b.at);
      return { text: plain(whole(figure)), own: place(figure), places };
    };
    this.marked = located((text) => text);
    this.named = located((text) => names.unmark(text));
  }

  fits(candidate: Candidate, facts: readonly Fact[], claim: string): boolean {
    return (
      this.hasItsName(candidate, facts) &&
      SUBJECT_KINDS.every((kind) => this.isOf(kind, candidate, facts, claim))
    );
  }

  private hasItsName(candidate: Candidate, facts: readonly Fact[]): boolean {
    const said = this.said(this.marked, conceptsOf(candidate.unit));
    if (said === null || (candidate.isDerived && DERIVED_NAMES.has(said))) return true;
    const own = facts.map(candidate.unit === 'tally' ? countedAs : namesOfFact);
    if (candidate.isSum) return own.every((each) => each.includes(said));
    return own.some((each) => each.includes(said));
  }

  private isOf(kind: SubjectKind, candidate: Candidate, facts: readonly Fact[], claim: string): boolean {
    const here = this.said(this.named, this.subjects.said(kind));
    const said = here ?? (kind === 'position' ? this.positionBefore : null);
    if (said === null) return true;
    if (kind === 'position' && here !== null && facts.some(isOfAll)) return OF_ALL.test(claim);
    const owners = facts.flatMap((fact) => this.subjects.of(fact).get(kind) ?? []);
    if (owners.length === 0) return true;
    if (candidate.isSum) return OF_ALL.test(claim) || owners.every((owner) => owner.has(said));
    return owners.some((owner) => owner.has(said));
  }

  private said(
    { text, own, places }: MarkedClaim,
    names: readonly (readonly [string, RegExp])[],
  ): string | null {
    return governingMention(text, own, mentionsOf(text, names), places);
  }
}

/** The names that a computed figure may have, whatever its inputs are. */
const DERIVED_NAMES: ReadonlySet<string> = new Set(['net worth', 'loan-to-value', 'utilisation', 'move']);

const isOfAll = ({ id, unit }: Fact): boolean => id.startsWith('positions.') && unit !== 'count';

function isTimely(
  figure: NumberFigure,
  candidate: Candidate,
  facts: readonly Fact[],
  cited: readonly Fact[],
): boolean {
  const [fact] = facts;
  if (candidate.isDerived === true || !fact) return true;
  const all = cited
    .filter(({ unit, value }) => unit === fact.unit && typeof value === 'number')
    .map(momentOf);
  return isAtItsTime(figure, momentOf(fact), all);
}
