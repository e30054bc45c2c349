import type { PricePoint } from './price-path';

/** Two moves are at least this far apart. Points that are due in between are one move. */
const SHORTEST_MS = 200;

/** The time of a replay. */
export interface Clock {
  now(): number;
  /** Resolves after the time, or as soon as the signal is aborted. */
  wait(ms: number, signal: AbortSignal): Promise<void>;
}

/**
 * Moves prices along a path. A replay that is late makes up for it, with one move for all points that are due.
 * @param move makes the points from the first index to before the second
 * @param speed seconds of the path in a second
 * @returns whether it came to its end. False: the signal was aborted
 */
export async function followPath(
  path: readonly PricePoint[],
  speed: number,
  move: (from: number, to: number) => Promise<void>,
  signal: AbortSignal,
  clock: Clock,
): Promise<boolean> {
  const begin = clock.now();
  const dueMs = (point: PricePoint): number => ((point.seconds - (path[0]?.seconds ?? 0)) / speed) * 1_000;
  let next = 0;
  while (!signal.aborted) {
    const first = path[next];
    if (!first) return true;
    const elapsedMs = clock.now() - begin;
    const leftMs = dueMs(first) - elapsedMs;
    if (leftMs > 0) {
      await clock.wait(leftMs, signal);
      continue;
    }
    const from = next;
    for (let point = path[next]; point && dueMs(point) <= elapsedMs; point = path[next]) next += 1;
    const movedAt = clock.now();
    await move(from, next);
    const restMs = SHORTEST_MS - (clock.now() - movedAt);
    if (next < path.length && restMs > 0) await clock.wait(restMs, signal);
  }
  return false;
}
