import type { Fact } from '../facts/fact';
import type { Verification } from '../verification/verify';
import type { DraftAnswer } from '../facts/draft-answer';

const MINUTE_MS = 60_000;
const FRESH_MS = 10 * MINUTE_MS;
const OLD_MS = 1_440 * MINUTE_MS;
/** The weight of a fact that is a day old, or whose source marks it as old. */
const LEAST_FRESHNESS = 0.5;
/** The weight of a computed figure, against one that is a fact. */
const DERIVED = 0.95;
/** The weight of a draft that was corrected once. */
const CORRECTED_DRAFT_WEIGHT = 0.9;

/** The inputs of the confidence of an answer. */
export interface ConfidenceBasis {
  draft: DraftAnswer;
  verification: Verification;
  /** Ids of the facts that the question is about. */
  wanted: ReadonlySet<string>;
  facts: ReadonlyMap<string, Fact>;
  /** Whether it is about the past, so that the age of its facts does not matter. */
  isAboutThePast: boolean;
  isMended: boolean;
  nowMs: number;
}

/**
 * coverage × freshness × verification, each in [0, 1]; 0 for a refused question.
 * - coverage: the share of the facts that the question is about which the answer uses and which have a value.
 * - freshness: mean over the facts used. A fact counts 1 until it is ten minutes old, then falls to one half
 *   at a day.
 * It is one half too if its source marks it as old. Facts about the past have no age.
 * - verification: 1 for figures that are facts, 0.95 for those computed from facts, the mean of them; times
 *   0.9
 * for a draft that was rejected once.
 */
export function confidenceOf(basis: ConfidenceBasis): number {
  const { draft, verification, wanted, facts, isMended } = basis;
  if (draft.cannotAnswer !== null || draft.claims.length === 0) return 0;
  const used = verification.usedFactIds.flatMap((id) => facts.get(id) ?? []);
  const { direct, derived } = verification.figures;
  const verified = direct + derived === 0 ? 1 : (direct + derived * DERIVED) / (direct + derived);
  const confidence =
    coverage(used, wanted) * freshness(used, basis) * verified * (isMended ? CORRECTED_DRAFT_WEIGHT : 1);
  return Math.round(confidence * 1_000) / 1_000;
}

function coverage(used: readonly Fact[], wanted: ReadonlySet<string>): number {
  if (wanted.size === 0) return 1;
  return used.filter(({ id, value }) => wanted.has(id) && value !== null).length / wanted.size;
}

function freshness(
  used: readonly Fact[],
  { isAboutThePast, nowMs }: Pick<ConfidenceBasis, 'isAboutThePast' | 'nowMs'>,
): number {
  if (used.length === 0) return 1;
  const each = used.map(({ time, isStale }) => {
    if (isStale) return LEAST_FRESHNESS;
    const ageMs = nowMs - Date.parse(time);
    if (isAboutThePast || Number.isNaN(ageMs)) return 1;
    const share = Math.min(1, Math.max(0, (ageMs - FRESH_MS) / (OLD_MS - FRESH_MS)));
    return 1 - share * (1 - LEAST_FRESHNESS);
  });
  return each.reduce((sum, value) => sum + value, 0) / each.length;
}
