import { setTimeout as delay } from 'node:timers/promises';

/** Bounds of pollUntil. */
export interface PollOptions {
  timeoutMs: number;
  /** Wait between two checks; default 50. */
  intervalMs?: number;
  /** True ends the polling early, with `false`. */
  isHopeless?: () => boolean;
}

/**
 * Repeats `check` until it is true. A check that throws counts as "not yet". It gets a signal that fires at
 * the deadline. Returns false when the deadline passes or `isHopeless` is true.
 */
export async function pollUntil(
  check: (signal: AbortSignal) => Promise<boolean> | boolean,
  { timeoutMs, intervalMs = 50, isHopeless = () => false }: PollOptions,
): Promise<boolean> {
  const deadline = AbortSignal.timeout(timeoutMs);
  while (!deadline.aborted && !isHopeless()) {
    try {
      if (await check(deadline)) return true;
    } catch {
      // Not yet. The deadline decides.
    }
    await delay(intervalMs);
  }
  return false;
}
