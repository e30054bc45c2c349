/** Risk bands of a position from safest to worst; `none` has no debt (decisions.md, Values: riskLevel). */
export const BANDS = ['none', 'low', 'moderate', 'high', 'critical', 'liquidatable'] as const;
export type Band = (typeof BANDS)[number];

/** Health factor, in percent, at which each band ends upward; `low` has no end (docs/model.md, Risk levels). */
export const BAND_EDGES_PERCENT = [
  { band: 'liquidatable', edge: 100 },
  { band: 'critical', edge: 110 },
  { band: 'high', edge: 125 },
  { band: 'moderate', edge: 150 },
] as const satisfies readonly { band: Band; edge: number }[];

/** Probability of liquidation within 7 days from which a correlated position is in each band (docs/model.md, Risk levels). */
export const BAND_PROBABILITIES = [
  { band: 'critical', from: 0.35 },
  { band: 'high', from: 0.1 },
  { band: 'moderate', from: 0.02 },
] as const satisfies readonly { band: Band; from: number }[];

const WAD = 10n ** 18n;

/** Position of a band on the scale: 0 (none) to 5 (liquidatable); larger is worse. */
export function bandRank(band: Band): number {
  return BANDS.indexOf(band);
}

/** True when a position went from `previous` (null: never seen) to a worse `current`. */
export function isWorse(current: Band, previous: Band | null): boolean {
  return bandRank(current) > (previous === null ? 0 : bandRank(previous));
}

/**
 * The level of the figures by the table: it knows no history, and so none of the hysteresis that bands keep on the way up.
 * @param healthFactor a number or the exact wad; null without debt
 * @param probability7d of liquidation within 7 days, which decides for a correlated position; null: the health factor does
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
