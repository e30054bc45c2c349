const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Least wait before attempts 2 to 5, each counted from the end of the one before it (api-v1.md, Delivery 6). */
const WAITS_MS = [MINUTE_MS, 5 * MINUTE_MS, 30 * MINUTE_MS, 2 * HOUR_MS] as const;

export const MAX_ATTEMPTS = WAITS_MS.length + 1;

/** Jitter only lengthens a wait, by this much at most (decisions.md, Webhook envelope). */
const JITTER = 0.1;

/** A receiver may ask for more time, but not keep a delivery open for ever. */
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;

/** Statuses whose Retry-After is heeded. */
const WITH_RETRY_AFTER = new Set([429, 503]);

/**
 * Wait after attempt number `attempt` (from 1) has failed, milliseconds; null when it was the last.
 * @param retryAfterMs what the answer asked for: a floor; null without
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
 * Wait that a Retry-After header asks for, milliseconds; null when there is none to heed.
 * @param header seconds, or an HTTP date
 * @param nowMs milliseconds since 1970
 */
export function retryAfterMs(statusCode: number, header: string | undefined, nowMs: number): number | null {
  if (!WITH_RETRY_AFTER.has(statusCode) || header === undefined) return null;
  const text = header.trim();
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  // A date has a weekday in front; Date.parse alone would also take `-1` and `12`.
  const dateMs = /^[A-Za-z]{3,9},? /.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(dateMs) ? null : Math.max(0, dateMs - nowMs);
}
