/** A position is dust while what it supplies and what it owes are both worth less, USD. */
export const DUST_USD = 10;

/** @returns false as well where a value is null: what nobody can price is not dust */
export function isDust(suppliedUsd: number | null, debtUsd: number | null): boolean {
  return suppliedUsd !== null && debtUsd !== null && suppliedUsd < DUST_USD && debtUsd < DUST_USD;
}
