/** Levels of a position from safest to worst; `none` has no debt. */
export type ScoredLevel = 'none' | 'low' | 'moderate' | 'high' | 'critical' | 'liquidatable';

/** The least score of each level: the edges of `riskLabel`, and 100 for liquidatable positions. */
export const LEVEL_FLOORS: Readonly<Record<ScoredLevel, number>> = {
  none: 0,
  low: 0,
  moderate: 25,
  high: 50,
  critical: 75,
  liquidatable: 100,
};
/** The range of a level's scores above its floor, which ends just below the next floor. */
const SPAN = 24.9;

/**
 * The score of a position at a level, so that its `riskLabel` is the level's own word (low without debt,
 * critical when it can be liquidated): floor + 24.9·base/100. The level states the distance to a liquidation.
 * The base score ranks the positions of one level by everything else. A position without debt has the base
 * score, at most 24.9. Error: one rounding. Source: our own definition, docs/model.md.
 * @param baseScore 0–100, of `riskScore`
 */
export function scoreOfLevel(baseScore: number, level: ScoredLevel): number {
  if (level === 'liquidatable') return LEVEL_FLOORS.liquidatable;
  if (level === 'none') return Math.min(baseScore, SPAN);
  return LEVEL_FLOORS[level] + (SPAN * baseScore) / 100;
}
