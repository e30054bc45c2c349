import { type Band, bandRank } from '@plimsoll/contracts';

const WAD = 10n ** 18n;
const percent = (value: bigint): bigint => (value * WAD) / 100n;

/** Health factor at which each level ends upward (risk-model.md, Bands); `low` has no end. */
const UPPER_EDGES: readonly { band: Band; edge: bigint }[] = [
  { band: 'liquidatable', edge: percent(100n) },
  { band: 'critical', edge: percent(110n) },
  { band: 'high', edge: percent(125n) },
  { band: 'moderate', edge: percent(150n) },
];
/** A level is left upward only above its edge and this much, so that a price at an edge makes no stream of changes. */
const HYSTERESIS = percent(2n);

/**
 * Band of a health factor (wad; null without debt) for a position that was in `previous` (null: never seen).
 * It worsens at once; on the way up every level in between holds it back until its edge + 0.02 is passed.
 */
export function bandOf(healthFactorRaw: bigint | null, previous: Band | null): Band {
  if (healthFactorRaw === null) return 'none';
  const level = levelWith(healthFactorRaw, 0n);
  if (previous === null || previous === 'none') return level;
  const held = levelWith(healthFactorRaw, HYSTERESIS);
  // Held back, but never to a level worse than the one it comes from.
  const upward = bandRank(held) > bandRank(previous) ? previous : held;
  return bandRank(level) > bandRank(upward) ? level : upward;
}

/** The level whose range, with its upper edge moved up by `margin`, holds the health factor. */
function levelWith(healthFactorRaw: bigint, margin: bigint): Band {
  const within = (edge: bigint): boolean =>
    margin === 0n ? healthFactorRaw < edge : healthFactorRaw <= edge + margin;
  return UPPER_EDGES.find(({ edge }) => within(edge))?.band ?? 'low';
}
