import type { Delivery } from './requests';

const LATEST_MS = 30_000;

/**
 * Returns the milliseconds until deliveries can change without a new event: until their next attempt, within half a minute.
 * @param soonestMs the result while an attempt is due or in flight
 */
export function untilNextAttempt(
  deliveries: readonly Pick<Delivery, 'finishedAt' | 'nextAttemptAt'>[],
  soonestMs: number,
  nowMs = Date.now(),
): number {
  const waits = deliveries
    .filter(({ finishedAt }) => finishedAt === null)
    .map(({ nextAttemptAt }) => (nextAttemptAt === null ? 0 : Date.parse(nextAttemptAt) - nowMs));
  return Math.max(soonestMs, Math.min(LATEST_MS, ...waits));
}
