import { answerHeaders, answerLines } from '../edge/answer-headers';
import type { DecidedCall } from '../edge/call';
import { headLines } from '../edge/head-lines';
import type { AnswerHead } from '../http1/answer-head';
import { type ServiceHeaders, passedHeaders, passedLines } from './forwarded-headers';
import { RETRY_AFTER_SECONDS } from './upstream-problem';

/** All headers that a client gets with a service's answer, flat: the gateway's own, and the service's. */
export function clientHeaders(
  { decision, correlation }: DecidedCall,
  status: number,
  rawHeaders: readonly string[],
  service: ServiceHeaders,
): string[] {
  return [
    ...answerHeaders(decision, correlation.requestId),
    ...passedHeaders(rawHeaders, service),
    ...added(status, service),
  ];
}

/** clientHeaders as lines of a head. */
export function clientLines(
  { decision, correlation }: DecidedCall,
  head: AnswerHead,
  service: ServiceHeaders,
): string {
  const own = answerLines(decision, correlation.requestId);
  return own + passedLines(head, service) + headLines(added(head.status, service));
}

/** What a service need not say itself: whether its answer may be kept, and when to come again. */
function added(status: number, service: ServiceHeaders): string[] {
  const headers: string[] = [];
  if (!service.hasCacheControl) {
    headers.push('Cache-Control', service.hasETag ? 'private, no-cache' : 'no-store');
  }
  if (status === 503 && !service.hasRetryAfter) headers.push('Retry-After', String(RETRY_AFTER_SECONDS));
  return headers;
}
