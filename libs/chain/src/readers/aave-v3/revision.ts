/**
 * Pool revisions whose arithmetic protocol-math follows to the wei: v3.0 (1) to v3.2 (5). From v3.3 (6) on rounding
 * changes; those are recomputed approximately and published with the contract's own figures.
 */
const LAST_EXACT_REVISION = 5n;

/** Whether the health factor of a pool of this revision can be recomputed to the wei. */
export function isExactRevision(revision: bigint): boolean {
  return revision >= 1n && revision <= LAST_EXACT_REVISION;
}
