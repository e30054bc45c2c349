import { AAVE_V2, AAVE_V3_0, type AaveV3Arithmetic } from './math';
import { AAVE_V3_6 } from './account-v3-6-math';

/** Aave v2 (0), v3.0 (1) to v3.2 (5); from v3.3 (6) on rounding changes step by step until v3.6 (10). */
const LAST_OF_V3_0 = 5n;
const V3_6 = 10n;

/** The arithmetic of a pool. It is the nearest one if the pool's own is not known to the wei. */
export function arithmeticOf(revision: bigint): AaveV3Arithmetic {
  if (revision === 0n) return AAVE_V2;
  return revision <= LAST_OF_V3_0 ? AAVE_V3_0 : AAVE_V3_6;
}

/** Whether the health factor of a pool of this revision can be recomputed to the wei. */
export function isExactRevision(revision: bigint): boolean {
  return revision <= LAST_OF_V3_0 || revision === V3_6;
}

/** Whether a category lists collateral with which no wallet may enter it. */
export function hasLtvZero(revision: bigint): boolean {
  return revision >= V3_6;
}

/** Whether pools of this revision truncate the average threshold to a basis point. */
export function truncatesThreshold(revision: bigint): boolean {
  return revision <= LAST_OF_V3_0;
}
