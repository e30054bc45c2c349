import { answerHeaders } from '../edge/answer-headers';
import type { DecidedCall } from '../edge/call';
import type { ServiceHeaders } from './forwarded-headers';
import { RETRY_AFTER_SECONDS } from './upstream-problem';

/** All headers that a client gets with a service's answer, flat: the gateway's own, and completedHeaders. */
export function clientHeaders(call: DecidedCall, status: number, service: ServiceHeaders): string[] {
  return [...answerHeaders(call.decision, call.correlation.requestId), ...completedHeaders(status, service)];
}

/**
 * What a service said of its answer, and what it need not say itself: whether the answer may be kept, and when to come
 * again.
 */
export function completedHeaders(status: number, service: ServiceHeaders): string[] {
  const headers = service.passed;
  if (!service.hasCacheControl) {
    headers.push('Cache-Control', service.hasETag ? 'private, no-cache' : 'no-store');
  }
  if (status === 503 && !service.hasRetryAfter) headers.push('Retry-After', String(RETRY_AFTER_SECONDS));
  return headers;
}
