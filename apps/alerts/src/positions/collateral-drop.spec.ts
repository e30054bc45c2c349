import fc from 'fast-check';
import {
  BUCKET_MS,
  type CollateralPeaks,
  advancePeaks,
  dropOf,
  nextBucketMs,
  priceRatio,
} from './collateral-drop';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;

/** Returns the peaks after these ratios, each with the time since the one before. */
function after(...steps: [ratio: number, laterMs: number][]): { peaks: CollateralPeaks; atMs: number } {
  let atMs = NOW;
  let peaks = advancePeaks(null, 1, atMs);
  for (const [ratio, laterMs] of steps) {
    atMs += laterMs;
    peaks = advancePeaks(peaks, ratio, atMs);
  }
  return { peaks, atMs };
}

describe('priceRatio', () => {
  it('weighs by value, and ignores an asset without a price on either side', () => {
    const amounts = { WETH: 2, USDC: 1_000, GONE: 5 };
    expect(priceRatio(amounts, { WETH: 2_000, USDC: 1, GONE: 9 }, { WETH: 1_500, USDC: 1 })).toBeCloseTo(0.8);
    expect(priceRatio({}, {}, { WETH: 1 })).toBe(1);
  });
});

describe('dropOf', () => {
  it('is the fall from the highest value of the last hour', () => {
    const { peaks, atMs } = after([1.25, BUCKET_MS], [0.9, BUCKET_MS], [0.8, BUCKET_MS]);
    expect(dropOf(peaks, atMs)).toBeCloseTo(0.28);
  });

  it('forgets a peak after an hour, with or without an event', () => {
    const { peaks, atMs } = after([0.7, 1_000]);
    expect(dropOf(peaks, atMs + HOUR_MS - BUCKET_MS)).toBeCloseTo(0.3);
    expect(dropOf(peaks, atMs + HOUR_MS)).toBe(0);
    expect(dropOf(after([0.7, 1_000], [1, HOUR_MS]).peaks, atMs + HOUR_MS)).toBe(0);
  });

  it('keeps the value of a quiet hour as the peak for a sudden fall', () => {
    const { peaks, atMs } = after([1, 10 * HOUR_MS], [0.75, 1_000]);
    expect(dropOf(peaks, atMs)).toBeCloseTo(0.25);
  });

  it('measures from a peak between 55 and 60 minutes old, for any course', () => {
    const step = fc.tuple(
      fc.double({ min: 0.5, max: 2, noNaN: true }),
      fc.integer({ min: 1, max: 2 * HOUR_MS }),
    );
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let index = 1;
        let atMs = NOW;
        const course = [{ index, atMs }];
        for (const [ratio, laterMs] of steps)
          course.push({ index: (index *= ratio), atMs: (atMs += laterMs) });
        const { peaks } = after(...steps);
        const highestSince = (fromMs: number): number =>
          Math.max(
            index,
            ...course.flatMap((each, i) => ((course[i + 1]?.atMs ?? Infinity) > fromMs ? [each.index] : [])),
          );
        const drop = dropOf(peaks, atMs);
        expect(drop).toBeGreaterThanOrEqual(1 - index / highestSince(atMs - HOUR_MS + BUCKET_MS) - 1e-9);
        expect(drop).toBeLessThanOrEqual(1 - index / highestSince(atMs - HOUR_MS) + 1e-9);
        expect(peaks.peaks.length).toBeLessThanOrEqual(HOUR_MS / BUCKET_MS);
        expect(nextBucketMs(atMs)).toBeGreaterThan(atMs);
      }),
    );
  });
});
