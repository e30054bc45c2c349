import type { Fact, FactUnit } from './fact';
import type { FactSheet } from './fact-sheet';

/**
 * A figure computed from facts. It is as old as the oldest of them, stale when one is, and has the source of
 * the first.
 */
export function derivedFact(
  sheet: FactSheet,
  id: string,
  label: string,
  value: number,
  from: readonly Fact[],
  unit: FactUnit = from[0]?.unit ?? 'count',
): Fact {
  const [first] = from;
  const time = from.map((fact) => fact.time).toSorted()[0] ?? '1970-01-01T00:00:00.000Z';
  const isStale = from.some((fact) => fact.isStale === true);
  return sheet.add(id, label, value, unit, { time, source: first?.source ?? 'none', isStale }, first?.symbol);
}

/** The sum of facts of one unit. A missing value counts as 0. */
export function sumFact(sheet: FactSheet, id: string, label: string, facts: readonly Fact[]): Fact {
  const sum = facts.reduce((total, { value }) => total + (typeof value === 'number' ? value : 0), 0);
  return derivedFact(sheet, id, label, sum, facts);
}
