import { ApiError, ConnectionError, TimeoutError } from './errors';

const FIRST_WAIT_MS = 500;
const LONGEST_WAIT_MS = 8_000;
/** A server may ask for a longer wait than other retries have, up to this. */
const LONGEST_STATED_WAIT_MS = 60_000;
const RETRIED = new Set([408, 429, 500, 502, 503, 504]);

/** Returns whether a later attempt can succeed. The same request may be sent again: writes have a key. */
export const isRetried = (status: number): boolean => RETRIED.has(status);

/** Returns whether a later attempt can succeed after this failure of a request. */
export function isPassing(error: unknown): boolean {
  return error instanceof ApiError
    ? isRetried(error.status)
    : error instanceof ConnectionError || error instanceof TimeoutError;
}

/**
 * Returns the wait before the next attempt, in milliseconds, or null when the stated wait is too long to
 * wait for: a daily limit ends at midnight.
 * @param attempt number of the attempt that failed, from 1
 * @param statedMs the wait that the response states; null: none
 * @param random from 0 to 1
 */
export function waitBefore(attempt: number, statedMs: number | null, random: number): number | null {
  if (statedMs !== null && statedMs > LONGEST_STATED_WAIT_MS) return null;
  const most = Math.min(LONGEST_WAIT_MS, FIRST_WAIT_MS * 2 ** (attempt - 1));
  // Between half and all of it, so that clients which failed together do not return together.
  const own = most * (0.5 + random / 2);
  // A stated moment is when the limit is free again. A little later is safe for clocks that differ.
  return statedMs === null ? own : statedMs + own / 4;
}

/**
 * Returns the milliseconds until a retry can succeed, from the headers of a response: Retry-After, or the end
 * of the window of the limit. Null when neither states it.
 */
export function statedWait(status: number, headers: Headers, nowMs: number): number | null {
  const after = headers.get('retry-after');
  if (after !== null) {
    const seconds = Number(after);
    const atMs = Number.isFinite(seconds) ? nowMs + seconds * 1_000 : Date.parse(after);
    if (!Number.isNaN(atMs)) return Math.max(0, atMs - nowMs);
  }
  const resetMs = status === 429 ? Date.parse(headers.get('x-ratelimit-reset') ?? '') : Number.NaN;
  return Number.isNaN(resetMs) ? null : Math.max(0, resetMs - nowMs);
}
