import type { Verdict } from '../../limits/verdict';
import { dayEndMs } from '../../limits/window';

/**
 * Returns the value of RateLimit-Policy (draft-ietf-httpapi-ratelimit-headers): the requests of each window.
 */
export function rateLimitPolicy({ limit, daily }: Verdict): string {
  const minute = `"minute";q=${limit};w=60`;
  return daily ? `${minute}, "day";q=${daily.limit};w=86400` : minute;
}

/** Returns the value of RateLimit: the remaining requests of each window, and the seconds until it ends. */
export function rateLimit({ exceeded, remaining, resetMs, nowMs, daily }: Verdict): string {
  const seconds = (untilMs: number): number => Math.ceil((untilMs - nowMs) / 1_000);
  const day = daily && `"day";r=${daily.remaining};t=${seconds(dayEndMs(nowMs))}`;
  // When the day is used up, the request did not count toward the minute, which is of no use.
  if (exceeded === 'day' && day) return day;
  const minute = `"minute";r=${remaining};t=${seconds(resetMs)}`;
  return day ? `${minute}, ${day}` : minute;
}
