import type { Fact } from '../facts/fact';
import { type Candidate, instantOf, symbolOf } from './candidate';

/** Up to this number of facts of one kind every pair is computed. A larger group has only sums and counts. */
const MAX_OPERANDS = 12;
const MINUTE_MS = 60_000;

/** Words that show how a text combines two facts. Nothing is computed if such a word is missing. */
const CUES = {
  difference:
    /\b(?:differ\w*|more|less|fewer|gap|by|lower|higher|above|below|than|from|fall\w*|fell|drop\w*|ris\w*|rose|gain\w*|increas\w*|decreas\w*|declin\w*|reduc\w*|cut\w*|up|down|short\w*|exceed\w*|remain\w*|left|net|equity|margin|buffer|distance|los\w*|chang\w*|mov\w*)\b/i,
  sum: /\b(?:total\w*|sum|together|combined|altogether|overall|all|aggregate\w*|plus|both)\b/i,
  ratio:
    /\b(?:times|ratio|of (?:the|its|your|their|all|total|that)|share|half|halv\w*|doubl\w*|twice|twofold|trip\w*|thrice|quadrupl\w*|third|quarter|\w+fold|leverage\w*|utili[sz]ation|loan-to-value|ltv|proportion|portion)\b|\dx\b/i,
  change:
    /\b(?:chang\w*|ris\w*|rose|fall\w*|fell|drop\w*|increas\w*|decreas\w*|grew|grow\w*|declin\w*|los\w*|gain\w*|up|down|higher|lower|more|less|reduc\w*)\b/i,
} as const;

type Amount = Fact & { value: number };

/**
 * The figures that a text may compute from its cited facts: difference, sum, ratio, percent change, count,
 * time between.
 */
export function derivedCandidates(text: string, cited: readonly Fact[], nowMs: number): Candidate[] {
  const amounts = cited.filter(
    (fact): fact is Amount => typeof fact.value === 'number' && fact.unit !== 'id',
  );
  const says = (cue: keyof typeof CUES): boolean => CUES[cue].test(text);
  const derived: Candidate[] = [...counts(cited), ...timesBetween(cited, nowMs)];
  const sums = groupsOf(amounts).map(sum);
  derived.push(...sums);
  if (says('difference')) derived.push(...differencesOf(sums));
  for (const [a, b] of pairs(amounts)) {
    if (says('sum')) derived.push(sum([a, b]));
    if (says('difference')) derived.push(difference(a, b));
    if (b.value === 0) continue;
    const ratio = a.value / b.value;
    const of = { factIds: [a.id, b.id], isDerived: true, isQuotient: true };
    // A share is one of two amounts. A proportion has no share.
    if (says('ratio') && !isProportion(a)) {
      derived.push({ value: ratio, unit: 'ratio', ...of }, { value: ratio, unit: 'fraction', ...of });
    } else if (says('ratio')) derived.push({ value: ratio, unit: 'ratio', ...of });
    if (says('change')) derived.push({ value: (ratio - 1) * 100, unit: 'percent', ...of });
  }
  return derived;
}

const isProportion = ({ unit }: Fact): boolean =>
  unit === 'percent' || unit === 'fraction' || unit === 'score';

const lastPart = ({ id }: Fact): string => id.slice(id.lastIndexOf('.') + 1);
const recordOf = ({ id }: Fact): string => id.split('.').slice(0, 2).join('.');

/** Figures with one name, of one record, or of a unique thing such as the index. */
function isRelated(a: Fact, b: Fact): boolean {
  const [first, second] = [a.id.split('.'), b.id.split('.')];
  const isOneThing = first[0] === second[0] && Math.min(first.length, second.length) <= 2;
  return lastPart(a) === lastPart(b) || recordOf(a) === recordOf(b) || isOneThing;
}

function groupBy<T>(items: readonly T[], keyOf: (item: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

function* pairs(amounts: readonly Amount[]): Generator<[Amount, Amount]> {
  for (const [key, group] of groupBy(amounts, ({ unit, symbol }) => `${unit} ${symbol ?? ''}`)) {
    if (group.length > MAX_OPERANDS || key.startsWith('block')) continue;
    for (const a of group) {
      for (const b of group) {
        if (a !== b && isRelated(a, b)) yield [a, b];
      }
    }
  }
}

/** All facts of a unit with the same last name, such as the debt of each position. */
function groupsOf(amounts: readonly Amount[]): Amount[][] {
  const groups = groupBy(amounts, (fact) => `${fact.unit} ${fact.symbol ?? ''} ${lastPart(fact)}`);
  return [...groups.values()].filter(({ length }) => length > 1);
}

function sum(group: readonly Amount[]): Candidate {
  const [first] = group as [Amount];
  return {
    value: group.reduce((total, { value }) => total + value, 0),
    unit: first.unit,
    factIds: group.map(({ id }) => id),
    isDerived: true,
    isSum: true,
    ...symbolOf(first),
  };
}

/** Collateral of all positions without the debt of all. */
function differencesOf(sums: readonly Candidate[]): Candidate[] {
  return sums.flatMap((a) =>
    sums
      .filter((b) => a !== b && a.unit === b.unit && a.symbol === b.symbol)
      .map((b) => ({
        ...a,
        value: a.value - b.value,
        factIds: [...a.factIds, ...b.factIds],
        isSum: false,
      })),
  );
}

function difference(a: Amount, b: Amount): Candidate {
  const isOfPercent = a.unit === 'percent' || a.unit === 'fraction';
  return {
    value: (a.value - b.value) * (a.unit === 'fraction' ? 100 : 1),
    unit: isOfPercent ? 'points' : a.unit,
    factIds: [a.id, b.id],
    isDerived: true,
    ...symbolOf(a),
  };
}

/** How many facts of one name, and how many records, the text cites. */
function counts(cited: readonly Fact[]): Candidate[] {
  const records = cited.filter(({ id }) => /^\w+\.\w+_\w+\./.test(id));
  const groups = [
    ...groupBy(
      cited.filter(({ unit }) => unit !== 'count'),
      lastPart,
    ).values(),
    ...[...groupBy(records, ({ id }) => id.split('.')[0] ?? '').values()].map((all) => [
      ...new Map(all.map((fact) => [recordOf(fact), fact])).values(),
    ]),
  ];
  return groups.map((group) => ({
    value: group.length,
    unit: 'tally',
    factIds: group.map(({ id }) => id),
    isDerived: true,
    isExact: true,
  }));
}

function timesBetween(cited: readonly Fact[], nowMs: number): Candidate[] {
  const instants = cited.flatMap((fact) => {
    const ms = instantOf(fact);
    return ms === null ? [] : [{ ms, factIds: [fact.id] }];
  });
  const ends = [...instants, { ms: nowMs, factIds: [] as string[] }];
  return instants.flatMap((from) =>
    ends
      .filter((end) => end !== from)
      .map((end) => ({
        value: Math.abs(end.ms - from.ms) / MINUTE_MS,
        unit: 'minutes' as const,
        factIds: [...from.factIds, ...end.factIds],
        isDerived: true,
      })),
  );
}
