import { REQUEST_ID_HEADER } from '@plimsoll/contracts';
import type { Decision } from './admission';

/** Names of answerHeaders, lower case: what a service says under them is replaced. */
export const OWN_HEADERS: ReadonlySet<string> = new Set([
  'x-ratelimit-limit',
  'x-ratelimit-remaining',
  'x-ratelimit-reset',
  'x-dailylimit-limit',
  'x-dailylimit-remaining',
  'x-service-tier',
  REQUEST_ID_HEADER,
]);

/** The headers that every answer of the API has (api-v1.md, Response headers), as a flat list of names and values. */
export function answerHeaders({ tier, verdict }: Decision, requestId: string): string[] {
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
  ];
  if (verdict.daily) {
    headers.push('X-DailyLimit-Limit', String(verdict.daily.limit));
    headers.push('X-DailyLimit-Remaining', String(verdict.daily.remaining));
  }
  return headers;
}
