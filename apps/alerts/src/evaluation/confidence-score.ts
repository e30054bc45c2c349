/** Blocks after which a reading says nothing any more (decisions.md, Values: confidenceScore). */
const WORTHLESS_AFTER_BLOCKS = 20;

/** The price factor with one source, as that of a position: its prices come from the protocol's own oracle alone. */
const ONE_SOURCE = 0.9;

/** How far the sources of a price lie apart when it says nothing any more, percent. */
const WORTHLESS_SPREAD_PERCENT = 2;

/**
 * How sure an alert is, 0 to 1.
 * @param ageBlocks age of what it was evaluated on
 * @param spreadPercent of the sources of the price that it is about; null: one source
 */
export function confidenceScore(ageBlocks: number, spreadPercent: number | null = null): number {
  const freshness = clamp(1 - ageBlocks / WORTHLESS_AFTER_BLOCKS);
  return (
    freshness * (spreadPercent === null ? ONE_SOURCE : clamp(1 - spreadPercent / WORTHLESS_SPREAD_PERCENT))
  );
}

const clamp = (share: number): number => Math.min(1, Math.max(0, share));
