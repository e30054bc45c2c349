/** USD. A position is dust while its supplied value and its debt are both below this value. */
export const DUST_USD = 10;

/** @returns false when a value is null, because a position without a price is not dust */
export function isDust(suppliedUsd: number | null, debtUsd: number | null): boolean {
  return suppliedUsd !== null && debtUsd !== null && suppliedUsd < DUST_USD && debtUsd < DUST_USD;
}
