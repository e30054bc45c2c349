import {
  BAND_EDGES_PERCENT,
  BAND_PROBABILITIES,
  type Band,
  bandOfFigures,
  bandRank,
} from '@plimsoll/contracts';

const WAD = 10n ** 18n;
const percent = (value: bigint): bigint => (value * WAD) / 100n;

const UPPER_EDGES = BAND_EDGES_PERCENT.map(({ band, edge }) => ({ band, edge: percent(BigInt(edge)) }));
/**
 * A level improves only this much above its edge, so that a price at an edge does not cause a series of
 * changes.
 */
const HYSTERESIS = percent(2n);
/**
 * Health factors at which the band or the level of a position can change, from any previous one, if no
 * probability decides. The levels' own edges are those of the levels.
 */
export const BAND_TURNS: readonly bigint[] = UPPER_EDGES.flatMap(({ edge }) => [edge, edge + HYSTERESIS]);
/** A deciding probability must fall to this share of the level's own. */
const LEAVING_SHARE = 0.8;

/**
 * Band of a health factor (wad; null without debt) for a position that was in `previous` (null: never seen).
 * It worsens immediately. On the way up it stays at every level in between until its edge + 0.02 is passed.
 * @param probability7d of liquidation within 7 days, which decides between 1 and infinity for a correlated
 * position; null:
 * the health factor decides
 */
export function bandOf(
  healthFactorRaw: bigint | null,
  previous: Band | null,
  probability7d: number | null = null,
): Band {
  if (healthFactorRaw === null) return 'none';
  const level = bandOfFigures(healthFactorRaw, probability7d);
  if (previous === null || previous === 'none') return level;
  const held = heldLevelOf(healthFactorRaw, probability7d);
  // Hysteresis keeps it at most at the level that it had.
  const upward = bandRank(held) > bandRank(previous) ? previous : held;
  return bandRank(level) > bandRank(upward) ? level : upward;
}

/** The worst level in which the figures still keep a position. */
function heldLevelOf(healthFactorRaw: bigint, probability7d: number | null): Band {
  const isHeld = ({ edge }: { edge: bigint }): boolean => healthFactorRaw <= edge + HYSTERESIS;
  if (probability7d === null) return UPPER_EDGES.find(isHeld)?.band ?? 'low';
  const held = BAND_PROBABILITIES.find(({ from }) => probability7d / LEAVING_SHARE >= from)?.band ?? 'low';
  return held === 'critical' && healthFactorRaw <= WAD + HYSTERESIS ? 'liquidatable' : held;
}
