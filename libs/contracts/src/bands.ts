/** Risk bands of a position from safest to worst; `none` has no debt (decisions.md, Values: riskLevel). */
export const BANDS = ['none', 'low', 'moderate', 'high', 'critical', 'liquidatable'] as const;
export type Band = (typeof BANDS)[number];

/** Position of a band on the scale: 0 (none) to 5 (liquidatable); larger is worse. */
export function bandRank(band: Band): number {
  return BANDS.indexOf(band);
}

/** True when a position went from `previous` (null: never seen) to a worse `current`. */
export function isWorse(current: Band, previous: Band | null): boolean {
  return bandRank(current) > (previous === null ? 0 : bandRank(previous));
}
