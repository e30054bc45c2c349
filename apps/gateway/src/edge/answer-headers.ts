import { REQUEST_ID_HEADER, type Tier } from '@plimsoll/contracts';
import type { Verdict } from '../limits/verdict';
import type { Decision } from './admission';
import { headLines } from './head-lines';
import { isoTime } from './iso-time';
import { rateLimit, rateLimitPolicy } from './rate-limit-fields';

/** What every answer of an API says to a browser: it is data, for this client alone, over TLS where there is TLS. */
const SECURITY_HEADERS = [
  'Strict-Transport-Security',
  'max-age=31536000',
  'X-Content-Type-Options',
  'nosniff',
  'Referrer-Policy',
  'no-referrer',
  'Content-Security-Policy',
  "default-src 'none'; frame-ancestors 'none'",
] as const;

/** Names of answerHeaders, lower case: what a service says under them is replaced. */
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

/** The headers that every answer of the API has (api-v1.md, Response headers), as a flat list of names and values. */
export function answerHeaders(decision: Decision, requestId: string): string[] {
  const lines = answerLines(decision, requestId).split('\r\n').slice(0, -1);
  return lines.flatMap((line) => {
    const end = line.indexOf(': ');
    return [line.slice(0, end), line.slice(end + 2)];
  });
}

/** answerHeaders as lines of a head. */
export function answerLines({ tier, verdict }: Decision, requestId: string): string {
  const { remaining, daily } = verdict;
  const ofToday = daily ? `X-DailyLimit-Remaining: ${daily.remaining}\r\n` : '';
  return (
    `${linesOfLimits(tier, verdict)}X-RateLimit-Remaining: ${remaining}\r\n` +
    `X-RateLimit-Reset: ${isoTime(verdict.resetMs)}\r\nX-Request-Id: ${requestId}\r\n` +
    `RateLimit: ${rateLimit(verdict)}\r\n${ofToday}`
  );
}

interface LimitLines {
  tier: Tier;
  daily: number | undefined;
  lines: string;
}

/** By the limit of a minute: accounts of a tier have one, those with a limit of their own few others. */
const known = new Map<number, LimitLines[]>();
const MAX_LIMITS = 1_000;

/** The lines that all calls under the same limits have. */
function linesOfLimits(tier: Tier, verdict: Verdict): string {
  const daily = verdict.daily?.limit;
  const same = known.get(verdict.limit);
  if (same) for (const each of same) if (each.tier === tier && each.daily === daily) return each.lines;
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
  if (known.size >= MAX_LIMITS) known.clear();
  known.set(verdict.limit, [...(known.get(verdict.limit) ?? []), { tier, daily, lines }]);
  return lines;
}
