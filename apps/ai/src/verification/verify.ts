import type { DraftAnswer } from '../facts/draft-answer';
import type { Fact } from '../facts/fact';
import { derivedCandidates } from './arithmetic';
import { type Candidate, instantOf, ownCandidates } from './candidate';
import { isAt } from './dates';
import { namesOfDraft } from './draft-names';
import type { NumberFigure, TimeFigure } from './figure';
import type { KnownNames } from './known-names';
import { type NoMatch, isLiquidationLine, matchFigure } from './match-figure';
import { scan } from './scan';

/** A figure or an id in a claim that no cited fact supports. */
export interface Unsupported {
  /** Index of the claim. */
  claim: number;
  /** The original text in the claim. */
  text: string;
  reason: NoMatch | 'unknown_fact_id';
}

/** A figure of a claim with all values that it may show. */
export interface FoundFigure {
  /** Index of the claim. */
  claim: number;
  figure: NumberFigure;
  /** The values that it shows. At least one. */
  candidates: readonly Candidate[];
}

/** The result of checking every figure of a draft. */
export interface Verification {
  ok: boolean;
  unsupported: Unsupported[];
  /**
   * The facts with matching figures, and those that claims without figures cite, in the order of the claims.
   */
  usedFactIds: string[];
  /** Those of them whose value is in the draft. */
  shownFactIds: string[];
  /** The number of figures that are facts, and of those computed from facts. */
  figures: { direct: number; derived: number };
  /** The matched figures, without dates and the liquidation line. */
  found: FoundFigure[];
}

interface ClaimContext {
  text: string;
  cited: readonly Fact[];
  candidates: readonly Candidate[];
  instants: readonly { ms: number; factId: string }[];
  nowMs: number;
}

/**
 * Searches every number, percentage, amount, date and number word of a draft among the facts that its claim
 * cites, or the arithmetic over them in arithmetic.ts, within the rounding of its own digits. Pure.
 * @param facts all of the answer, by id: an id or a name in a claim must be one of theirs
 * @param nowMs milliseconds since 1970, for `3 days ago`
 */
export function verify(draft: DraftAnswer, facts: ReadonlyMap<string, Fact>, nowMs: number): Verification {
  const names = namesOfDraft(draft, facts);
  const unsupported: Unsupported[] = [];
  const used = new Set<string>();
  const shown = new Set<string>();
  const figures = { direct: 0, derived: 0 };
  const matched: FoundFigure[] = [];
  draft.claims.forEach(({ text, factIds }, claim) => {
    const miss = (what: string, reason: Unsupported['reason']): void =>
      void unsupported.push({ claim, text: what, reason });
    for (const id of factIds) if (!facts.has(id)) miss(id, 'unknown_fact_id');
    const cited = [...new Set(factIds)].flatMap((id) => facts.get(id) ?? []);
    const { figures: found, unreadable } = scan(text, names, cited);
    for (const what of unreadable) miss(what, 'no_fact');
    const ground = claimContextOf(text, cited, names, nowMs);
    for (const figure of found) {
      const matches = figure.kind === 'time' ? matchTime(figure, ground) : matchNumber(figure, ground);
      if (typeof matches === 'string') {
        miss(figure.text, matches);
        continue;
      }
      const [first] = matches as [Match];
      figures[first.isDerived ? 'derived' : 'direct'] += 1;
      for (const id of first.factIds) shown.add(id);
      const candidates = matches.filter(isCandidate);
      if (figure.kind === 'number' && candidates.length > 0) matched.push({ claim, figure, candidates });
    }
    for (const fact of cited) if (isNamed(fact, text)) shown.add(fact.id);
    for (const { id } of cited) if (found.length === 0 || shown.has(id)) used.add(id);
    for (const id of shown) used.add(id);
  });
  return {
    ok: unsupported.length === 0,
    unsupported,
    usedFactIds: [...used],
    shownFactIds: [...shown],
    figures,
    found: matched,
  };
}

function claimContextOf(
  text: string,
  cited: readonly Fact[],
  names: KnownNames,
  nowMs: number,
): ClaimContext {
  const candidates = [
    ...cited.flatMap((fact) => ownCandidates(fact, names)),
    ...derivedCandidates(text, cited, nowMs),
  ];
  const instants = cited.flatMap((fact) =>
    [instantOf(fact), Date.parse(fact.time)]
      .filter((ms): ms is number => ms !== null && !Number.isNaN(ms))
      .map((ms) => ({ ms, factId: fact.id })),
  );
  return { text, cited, candidates, instants, nowMs };
}

type Match = Pick<Candidate, 'factIds' | 'isDerived'>;

const isCandidate = (match: Match): match is Candidate => 'value' in match;

function matchNumber(figure: NumberFigure, { cited, candidates, text }: ClaimContext): Match[] | NoMatch {
  const match = matchFigure(figure, candidates, text);
  if (typeof match !== 'string') return match;
  const healthFactors = cited.filter(({ label, unit }) => unit === 'ratio' && /health factor/i.test(label));
  const values = healthFactors.flatMap(({ value }) => (typeof value === 'number' ? [value] : []));
  return isLiquidationLine(figure, text, values) ? [{ factIds: healthFactors.map(({ id }) => id) }] : match;
}

function matchTime(figure: TimeFigure, { instants, nowMs }: ClaimContext): Match[] | NoMatch {
  const instant = instants.find(({ ms }) => isAt(figure, ms, nowMs));
  if (instant) return [{ factIds: [instant.factId] }];
  return instants.length === 0 ? 'no_fact' : 'wrong_value';
}

/** Whether a claim contains an id, a name or a word that is the value of a fact. */
function isNamed({ value, unit }: Fact, text: string): boolean {
  if (typeof value !== 'string' || unit === 'time' || value === '') return false;
  return text.toLowerCase().includes(value.toLowerCase());
}
