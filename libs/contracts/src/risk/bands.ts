/** Risk bands of a position from safest to worst. `none` means no debt. */
export const BANDS = ['none', 'low', 'moderate', 'high', 'critical', 'liquidatable'] as const;
export type Band = (typeof BANDS)[number];

/** Health factor in percent at which each band ends upward. `low` has no end. See docs/model.md. */
export const BAND_EDGES_PERCENT = [
  { band: 'liquidatable', edge: 100 },
  { band: 'critical', edge: 110 },
  { band: 'high', edge: 125 },
  { band: 'moderate', edge: 150 },
] as const satisfies readonly { band: Band; edge: number }[];

/**
 * Probability of liquidation within 7 days at which each band of a correlated position starts. See
 * docs/model.md.
 */
export const BAND_PROBABILITIES = [
  { band: 'critical', from: 0.35 },
  { band: 'high', from: 0.1 },
  { band: 'moderate', from: 0.02 },
] as const satisfies readonly { band: Band; from: number }[];

const WAD = 10n ** 18n;

/** Returns the rank of a band: 0 (none) to 5 (liquidatable). Larger is worse. */
export function bandRank(band: Band): number {
  return BANDS.indexOf(band);
}

/** Returns true when a position moved from `previous` (null: first evaluation) to a worse `current`. */
export function isWorse(current: Band, previous: Band | null): boolean {
  return bandRank(current) > (previous === null ? 0 : bandRank(previous));
}

/**
 * Returns the level of the figures from the table. It has no history, so it has no hysteresis.
 * @param healthFactor a number or the exact wad; null without debt
 * @param probability7d probability of liquidation within 7 days, which decides for a correlated position;
 * null when the health factor decides
 */
export function bandOfFigures(healthFactor: number | bigint | null, probability7d: number | null): Band {
  if (healthFactor === null) return 'none';
  if (isBelow(healthFactor, 100)) return 'liquidatable';
  if (probability7d !== null) {
    return BAND_PROBABILITIES.find(({ from }) => probability7d >= from)?.band ?? 'low';
  }
  return BAND_EDGES_PERCENT.find(({ edge }) => isBelow(healthFactor, edge))?.band ?? 'low';
}

function isBelow(healthFactor: number | bigint, percent: number): boolean {
  if (typeof healthFactor === 'number') return healthFactor < percent / 100;
  return healthFactor * 100n < BigInt(percent) * WAD;
}
