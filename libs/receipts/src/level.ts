/** Levels of a position from safest to worst. `none` means no debt. */
export const LEVELS = ['none', 'low', 'moderate', 'high', 'critical', 'liquidatable'] as const;
export type Level = (typeof LEVELS)[number];

const WAD = 10n ** 18n;
const percent = (value: bigint): bigint => (value * WAD) / 100n;

/** A health factor below the number has the level or a worse one. */
const BELOW: readonly (readonly [bigint, Level])[] = [
  [percent(100n), 'liquidatable'],
  [percent(110n), 'critical'],
  [percent(125n), 'high'],
  [percent(150n), 'moderate'],
];
/** The health factors at which levels change. */
export const LEVEL_EDGES = BELOW.map(([below]) => below);

/** A probability of at least the number has the level or a worse one. */
const FROM: readonly (readonly [bigint, Level])[] = [
  [percent(35n), 'critical'],
  [percent(10n), 'high'],
  [percent(2n), 'moderate'],
];

/**
 * The level of figures with 18 decimals.
 * @param healthFactor null without debt
 * @param probability7d of liquidation within 7 days, which decides at 1 and above; null: the health factor decides
 */
export function levelOf(healthFactor: bigint | null, probability7d: bigint | null): Level {
  if (healthFactor === null) return 'none';
  if (healthFactor < WAD) return 'liquidatable';
  if (probability7d !== null) return FROM.find(([from]) => probability7d >= from)?.[1] ?? 'low';
  return BELOW.find(([below]) => healthFactor < below)?.[1] ?? 'low';
}
