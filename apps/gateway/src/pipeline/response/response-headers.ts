import { REQUEST_ID_HEADER, type Tier } from '@plimsoll/contracts';
import { dayEndMs, type Verdict } from '../../limits/verdict';
import type { Decision } from '../admission/admission';
import { headLines } from './head';

/** Headers of every response of this server, as names and values. */
export const TRANSPORT_HEADERS = [
  ['Strict-Transport-Security', 'max-age=31536000'],
  ['X-Content-Type-Options', 'nosniff'],
] as const;

/**
 * Headers of every API response for browsers: it is data, for this client only, over TLS where there is TLS.
 */
const SECURITY_HEADERS = [
  ...TRANSPORT_HEADERS.flat(),
  'Referrer-Policy',
  'no-referrer',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
];

/** Names of responseHeaders in lower case. A service's values under them are replaced. */
export const OWN_HEADERS: ReadonlySet<string> = new Set([
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-dailylimit-limit',
  'x-dailylimit-remaining',
  'x-service-tier',
  'ratelimit',
  'ratelimit-policy',
  REQUEST_ID_HEADER,
  ...SECURITY_HEADERS.filter((_, at) => at % 2 === 0).map((name) => name.toLowerCase()),
]);

/** Returns the headers that every API response has, as a flat list of names and values. */
export function responseHeaders(decision: Decision, requestId: string): string[] {
  const lines = responseLines(decision, requestId).split('\r\n').slice(0, -1);
  return lines.flatMap((line) => {
    const end = line.indexOf(': ');
    return [line.slice(0, end), line.slice(end + 2)];
  });
}

/** Returns responseHeaders as lines of a head. */
export function responseLines({ tier, verdict }: Decision, requestId: string): string {
  const { remaining, daily } = verdict;
  const ofToday = daily ? `X-DailyLimit-Remaining: ${daily.remaining}\r\n` : '';
  return (
    `${linesOfLimits(tier, verdict)}X-RateLimit-Remaining: ${remaining}\r\n` +
    `X-RateLimit-Reset: ${isoTime(verdict.resetMs)}\r\nX-Request-Id: ${requestId}\r\n` +
    `RateLimit: ${rateLimit(verdict)}\r\n${ofToday}`
  );
}

let latestMs = Number.NaN;
let latestText = '';

/** The requests of an account have the same reset for a minute, and a date costs more than the other headers together. */
function isoTime(ms: number): string {
  if (ms !== latestMs) {
    latestMs = ms;
    latestText = new Date(ms).toISOString();
  }
  return latestText;
}

/** Cache by content. Accounts of a tier have the same limits, and few accounts have their own. */
const known = new Map<string, string>();
const MAX_KNOWN = 1_000;

/** Returns the lines that all requests under the same limits share. */
function linesOfLimits(tier: Tier, verdict: Verdict): string {
  const daily = verdict.daily?.limit;
  const key = `${tier} ${verdict.limit} ${daily}`;
  const same = known.get(key);
  if (same !== undefined) return same;
  const lines = headLines([
    'X-Service-Tier',
    tier,
    'X-RateLimit-Limit',
    String(verdict.limit),
    'RateLimit-Policy',
    rateLimitPolicy(verdict),
    ...(daily === undefined ? [] : ['X-DailyLimit-Limit', String(daily)]),
    ...SECURITY_HEADERS,
  ]);
  if (known.size >= MAX_KNOWN) known.clear();
  known.set(key, lines);
  return lines;
}

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
