const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/**
 * Minimum delay before attempts 2 to 5, each from the end of the previous attempt. See
 * docs/api/webhooks.md#retry-schedule.
 */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS] as const;

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** Jitter adds at most this share to a delay. */
const JITTER = 0.1;

/** A receiver may ask for more time, but must not keep a delivery open without limit. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** Statuses whose Retry-After header counts. */
const WITH_RETRY_AFTER = new Set([429, 503]);

/**
 * Returns the delay in milliseconds after attempt number `attempt` (from 1) failed, or null after the last
 * one.
 * @param retryAfterMs the receiver's request, which is a minimum; null without one
 * @param random in [0, 1)
 */
export function retryDelayMs(
  attempt: number,
  retryAfterMs: number | null,
  random: () => number,
): number | null {
  const waitMs = WAITS_MS[attempt - 1];
  if (waitMs === undefined) return null;
  const jitteredMs = Math.ceil(waitMs * (1 + JITTER * random()));
  return Math.max(jitteredMs, Math.min(retryAfterMs ?? 0, MAX_RETRY_AFTER_MS));
}

/**
 * Returns the delay of a Retry-After header in milliseconds, or null when none counts.
 * @param header seconds, or an HTTP date
 * @param nowMs milliseconds since 1970
 */
export function retryAfterMs(statusCode: number, header: string | undefined, nowMs: number): number | null {
  if (!WITH_RETRY_AFTER.has(statusCode) || header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date begins with a weekday. Date.parse alone would also accept `-1` and `12`.
  const dateMs = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
