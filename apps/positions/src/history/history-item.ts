import type { HistoryGap, NetWorthHistoryItem } from '@plimsoll/contracts';
import { WAD_DECIMALS, healthFactorNumber, toDouble } from '../amounts/units';

/** The snapshots of a position in a bucket. */
export interface Sample {
  positionId: string;
  /** Start of the bucket. */
  atMs: number;
  samples: number;
  lowestHealthFactorRaw: bigint | null;
  /** At the last snapshot. Null: not recorded. */
  netWorthUsdRaw: bigint | null;
  /** Whether the position was closed at the last snapshot. */
  isClosed: boolean;
}

/** A position that was open at some time in the range, or may have been. */
export interface KnownPosition {
  id: string;
  /** It is open from then on, until a snapshot shows it closed. Null: from its first snapshot in the range on. */
  openFromMs: number | null;
}

/**
 * Returns the buckets, from the oldest to the newest. A position that is open and has no snapshot in a bucket is missing
 * there: no value is carried over from another bucket.
 * @param starts of the buckets, ascending, `lengthMs` apart
 */
export function historyItems(
  starts: readonly number[],
  lengthMs: number,
  positions: readonly KnownPosition[],
  samples: readonly Sample[],
): NetWorthHistoryItem[] {
  const open = new Set<string>();
  const opening = new Map(
    positions.flatMap(({ id, openFromMs }) => (openFromMs === null ? [] : [[id, openFromMs] as const])),
  );
  const byStart = new Map<number, Sample[]>(starts.map((atMs) => [atMs, []]));
  for (const sample of samples) byStart.get(sample.atMs)?.push(sample);
  return starts.map((atMs) => {
    const found = byStart.get(atMs) ?? [];
    for (const [id, openFromMs] of opening) {
      if (openFromMs >= atMs + lengthMs) continue;
      open.add(id);
      opening.delete(id);
    }
    for (const { positionId } of found) open.add(positionId);
    const item = itemOf(atMs, found, open.size - found.length);
    for (const { positionId, isClosed } of found) if (isClosed) open.delete(positionId);
    return item;
  });
}

function itemOf(atMs: number, found: readonly Sample[], positionsMissing: number): NetWorthHistoryItem {
  const isUnrecorded = found.some(({ netWorthUsdRaw }) => netWorthUsdRaw === null);
  const gap = gapOf(found.length, positionsMissing, isUnrecorded);
  const worth =
    gap === null ? found.reduce((sum, { netWorthUsdRaw }) => sum + (netWorthUsdRaw ?? 0n), 0n) : null;
  const lowest = positionsMissing > 0 ? null : lowestOf(found);
  return {
    at: new Date(atMs).toISOString(),
    samples: found.reduce((sum, each) => sum + each.samples, 0),
    positions: found.filter(({ isClosed }) => !isClosed).length,
    positionsMissing,
    netWorthUsd: worth === null ? null : toDouble(worth, WAD_DECIMALS),
    netWorthUsdRaw: worth?.toString() ?? null,
    lowestHealthFactor: healthFactorNumber(lowest),
    lowestHealthFactorRaw: lowest?.toString() ?? null,
    gap,
  };
}

function gapOf(found: number, missing: number, isUnrecorded: boolean): HistoryGap | null {
  if (missing > 0) return found === 0 ? 'no_samples' : 'positions_missing';
  return isUnrecorded ? 'not_recorded' : null;
}

function lowestOf(found: readonly Sample[]): bigint | null {
  return found.reduce<bigint | null>(
    (lowest, { lowestHealthFactorRaw: own }) =>
      own !== null && (lowest === null || own < lowest) ? own : lowest,
    null,
  );
}
