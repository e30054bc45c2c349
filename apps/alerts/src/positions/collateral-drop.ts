/** Buckets of five minutes hold the hour of a collateral drop, so the window is 55 to 60 minutes long. */
export const BUCKET_MS = 300_000;
const BUCKETS = 12;
/** Length of the window in which a drop is measured. */
export const DROP_WINDOW_MS = BUCKETS * BUCKET_MS;

/**
 * Share of its value that the collateral must lose within an hour, through prices alone, to open an alert.
 */
export const DROP_OPENS_AT = 0.2;

/**
 * Relative value of an unchanged collateral over the last hour. Deposits and withdrawals do not affect it.
 */
export interface CollateralPeaks {
  /** Present value of one unit at the first event. */
  index: number;
  /** Number of the bucket of the last event since 1970. */
  bucket: number;
  /** Highest index of that bucket, then of those before it. */
  peaks: number[];
}

/**
 * Returns the factor by which prices alone changed the value of these amounts. 1 when nothing is comparable.
 */
export function priceRatio(
  amounts: Readonly<Record<string, number>>,
  before: Readonly<Record<string, number>>,
  after: Readonly<Record<string, number>>,
): number {
  let valueBefore = 0;
  let valueAfter = 0;
  for (const asset in amounts) {
    const from = before[asset];
    const to = after[asset];
    if (from === undefined || to === undefined) continue;
    valueBefore += (amounts[asset] ?? 0) * from;
    valueAfter += (amounts[asset] ?? 0) * to;
  }
  return valueBefore > 0 ? valueAfter / valueBefore : 1;
}

/** Returns the peaks after prices changed the collateral by `ratio`. `before` is null for the first event. */
export function advancePeaks(before: CollateralPeaks | null, ratio: number, atMs: number): CollateralPeaks {
  const at = bucketOf(atMs);
  if (before === null) return { index: 1, bucket: at, peaks: [1] };
  const index = before.index * ratio;
  // After a reorg, time may go back a little. Such a state counts for the current bucket.
  const steps = Math.max(0, Math.min(BUCKETS, at - before.bucket));
  const between = Array<number>(steps).fill(before.index);
  const peaks = [...between, ...before.peaks].slice(0, BUCKETS);
  peaks[0] = Math.max(peaks[0] ?? index, index);
  return { index, bucket: Math.max(at, before.bucket), peaks };
}

/**
 * Returns the share that the collateral has lost since its highest value of the last hour: 0 to 1.
 * @param sinceMs only buckets that began later count, milliseconds since 1970; null: the whole hour
 */
export function dropOf(
  { index, bucket, peaks }: CollateralPeaks,
  atMs: number,
  sinceMs: number | null = null,
): number {
  const passed = Math.max(0, bucketOf(atMs) - bucket);
  const counted = sinceMs === null ? BUCKETS : Math.max(0, bucket - bucketOf(sinceMs));
  const highest = Math.max(index, ...peaks.slice(0, Math.min(counted, Math.max(0, BUCKETS - passed))));
  return highest > 0 ? 1 - index / highest : 0;
}

/** Returns when the window moves next. A drop can end without any event. */
export function nextBucketMs(atMs: number): number {
  return (bucketOf(atMs) + 1) * BUCKET_MS;
}

function bucketOf(atMs: number): number {
  return Math.floor(atMs / BUCKET_MS);
}
