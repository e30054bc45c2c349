import { answerHeaders } from '../edge/answer-headers';
import type { DecidedCall } from '../edge/call';
import { responseHeaders } from './forwarded-headers';
import { RETRY_AFTER_SECONDS } from './upstream-problem';

/** The value of a header in a flat list, or undefined. @param name in lower case */
export function headerValue(rawHeaders: readonly string[], name: string): string | undefined {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const each = rawHeaders[at] ?? '';
    if (each.length === name.length && each.toLowerCase() === name) return rawHeaders[at + 1];
  }
  return undefined;
}

/**
 * All headers that a client gets with a service's answer, flat: the gateway's own, the service's, and what a service need
 * not say itself: whether the answer may be kept, and when to come again.
 */
export function clientHeaders(call: DecidedCall, status: number, rawHeaders: readonly string[]): string[] {
  const headers = answerHeaders(call.decision, call.correlation.requestId);
  for (const each of responseHeaders(rawHeaders)) headers.push(each);
  if (headerValue(rawHeaders, 'cache-control') === undefined) {
    const mayBeKept = headerValue(rawHeaders, 'etag') !== undefined;
    headers.push('Cache-Control', mayBeKept ? 'private, no-cache' : 'no-store');
  }
  if (status === 503 && headerValue(rawHeaders, 'retry-after') === undefined) {
    headers.push('Retry-After', String(RETRY_AFTER_SECONDS));
  }
  return headers;
}
