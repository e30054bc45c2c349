import { FORMULAS } from '@plimsoll/protocols/math';

/** The newest published formula of a family. Null: none is published. */
export function newestFormula(family: string): { name: string; version: number } | null {
  const [version] = Object.keys(FORMULAS[family] ?? {})
    .map(Number)
    .toSorted((a, b) => b - a);
  return version === undefined ? null : { name: family, version };
}

/**
 * Whether the formula of a family knows every side of a position. In Euler, oracles outside of the protocol price shares that
 * secure nothing.
 */
export function isOfFormula(family: string, legs: readonly { oracle: string }[]): boolean {
  return family !== 'euler-v2' || new Set(legs.map(({ oracle }) => oracle)).size === 1;
}
