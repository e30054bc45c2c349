import { REQUEST_ID_HEADER } from '@plimsoll/contracts';
import type { Decision } from './admission';
import { headLines } from './head-lines';
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
  return [...callHeaders(decision, requestId), ...SECURITY_HEADERS];
}

/** answerHeaders as lines of a head. */
export function answerLines(decision: Decision, requestId: string): string {
  return headLines(callHeaders(decision, requestId)) + SECURITY_LINES;
}

const SECURITY_LINES = headLines(SECURITY_HEADERS);

/** Those that differ from call to call. */
function callHeaders({ tier, verdict }: Decision, requestId: string): string[] {
  const headers = [
    'X-RateLimit-Limit',
    String(verdict.limit),
    'X-RateLimit-Remaining',
    String(verdict.remaining),
    'X-RateLimit-Reset',
    new Date(verdict.resetMs).toISOString(),
    'X-Service-Tier',
    tier,
    'X-Request-Id',
    requestId,
    'RateLimit-Policy',
    rateLimitPolicy(verdict),
    'RateLimit',
    rateLimit(verdict),
  ];
  if (verdict.daily) {
    headers.push('X-DailyLimit-Limit', String(verdict.daily.limit));
    headers.push('X-DailyLimit-Remaining', String(verdict.daily.remaining));
  }
  return headers;
}
