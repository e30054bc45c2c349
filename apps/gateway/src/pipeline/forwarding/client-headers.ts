import { responseHeaders, responseLines } from '../response/response-headers';
import type { DecidedRequest } from '../response/api-request';
import { headLines } from '../response/head';
import { type ServiceHeaders, passedHeaders, passedLines } from './forwarded-headers';
import { RETRY_AFTER_SECONDS } from './upstream-problem';

/** Returns all headers of a service's response to the client, flat: the gateway's own, and the service's. */
export function clientHeaders(
  { decision, correlation }: DecidedRequest,
  status: number,
  rawHeaders: readonly string[],
  service: ServiceHeaders,
): string[] {
  return [
    ...responseHeaders(decision, correlation.requestId),
    ...passedHeaders(rawHeaders, service),
    ...added(status, service),
  ];
}

/** Returns clientHeaders as lines of a head. */
export function clientLines(
  { decision, correlation }: DecidedRequest,
  status: number,
  rawHeaders: readonly string[],
  service: ServiceHeaders,
): string {
  const own = responseLines(decision, correlation.requestId);
  return own + passedLines(rawHeaders, service) + headLines(added(status, service));
}

/** Headers that a service need not send itself: caching, and Retry-After. */
function added(status: number, service: ServiceHeaders): string[] {
  const headers: string[] = [];
  if (!service.hasCacheControl) {
    headers.push('Cache-Control', service.hasETag ? 'private, no-cache' : 'no-store');
  }
  if (status === 503 && !service.hasRetryAfter) headers.push('Retry-After', String(RETRY_AFTER_SECONDS));
  return headers;
}
