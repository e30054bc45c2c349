/** Blocks after which a reading says nothing any more (decisions.md, Values: confidenceScore). */
const WORTHLESS_AFTER_BLOCKS = 20;

/** The price factor with one source: a position's prices come from the protocol's own oracle alone. */
const ONE_SOURCE = 0.9;

/** How sure an alert is, 0 to 1, by the age in blocks of what it was evaluated on. */
export function confidenceScore(ageBlocks: number): number {
  const freshness = Math.min(1, Math.max(0, 1 - ageBlocks / WORTHLESS_AFTER_BLOCKS));
  return freshness * ONE_SOURCE;
}
