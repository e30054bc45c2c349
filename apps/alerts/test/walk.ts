import { BAND_EDGES_PERCENT, type Band, type PositionV1, bandRank } from '@plimsoll/contracts';
import { samplePosition } from '@plimsoll/testing';
import fc from 'fast-check';

const PERCENT = 10n ** 16n;
const HYSTERESIS_PERCENT = 2n;

/** A block of a walk: the new health factor, the time since the previous block, and other events. */
export interface Step {
  /** Null: all debt is repaid. */
  healthFactor: number | null;
  laterMs: number;
  /** Depth of a reorg before the block; 0: none. */
  reorgDepth: number;
  /** The service restarts before the block, with only stored rows. */
  restarts: boolean;
  /** The event arrives a second time. */
  repeats: boolean;
}

/** Prices between blocks: the market price of the collateral of a stable pair. Null: none is fresh. */
export const anyMarketPrice: fc.Arbitrary<number | null> = fc.oneof(
  { weight: 6, arbitrary: fc.double({ min: 0.85, max: 1.02, noNaN: true }) },
  { weight: 3, arbitrary: fc.constant(1) },
  { weight: 1, arbitrary: fc.constant(null) },
);

export const anyStep: fc.Arbitrary<Step> = fc.record({
  healthFactor: fc.oneof(
    { weight: 8, arbitrary: fc.double({ min: 0.9, max: 1.35, noNaN: true }) },
    {
      weight: 4,
      arbitrary: fc.constantFrom(0.999_999, 1, 1.000_001, 1.099, 1.1, 1.119, 1.121, 1.249, 1.25, 1.271, 2),
    },
    { weight: 1, arbitrary: fc.constant(null) },
  ),
  laterMs: fc.constantFrom(0, 1_000, 12_000, 61_000, 400_000),
  reorgDepth: fc.oneof(
    { weight: 5, arbitrary: fc.constant(0) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 4 }) },
  ),
  restarts: fc.boolean(),
  repeats: fc.boolean(),
});

/** Events of a walk as positions publishes them: bands with hysteresis, blocks that a reorg may replace. */
export function* walk(wallet: string, steps: readonly Step[]): Generator<{ event: PositionV1; step: Step }> {
  let before: PositionV1 | null = null;
  let block = 1_000;
  for (const [at, step] of steps.entries()) {
    block += 1 - step.reorgDepth;
    const raw = step.healthFactor === null ? null : BigInt(Math.round(step.healthFactor * 1e9)) * 10n ** 9n;
    const isOrphaned: boolean = step.reorgDepth > 0 && before !== null && before.block >= block;
    const band = bandAfter(raw, before?.band ?? null);
    const event: PositionV1 = samplePosition(wallet, at + 1, band, {
      healthFactor: raw === null ? null : Number(`${raw}e-18`),
      healthFactorRaw: raw === null ? null : String(raw),
      previousBand: before?.band ?? null,
      block,
      ...(isOrphaned && { orphanedFrom: block }),
    });
    yield { event, step };
    before = event;
  }
}

/** The band of a health factor (wad), with the hysteresis on the way up. */
function bandAfter(raw: bigint | null, previous: Band | null): Band {
  if (raw === null) return 'none';
  const level = BAND_EDGES_PERCENT.find(({ edge }) => raw < BigInt(edge) * PERCENT)?.band ?? 'low';
  if (previous === null || previous === 'none') return level;
  const held =
    BAND_EDGES_PERCENT.find(({ edge }) => raw <= (BigInt(edge) + HYSTERESIS_PERCENT) * PERCENT)?.band ??
    'low';
  const upward = bandRank(held) > bandRank(previous) ? previous : held;
  return bandRank(level) > bandRank(upward) ? level : upward;
}
