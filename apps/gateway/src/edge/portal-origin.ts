import type { IncomingMessage, ServerResponse } from 'node:http';
import { TRANSPORT_HEADERS } from '../pipeline/response/response-headers';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const REQUEST_HEADERS = 'content-type, idempotency-key, if-none-match';
/** Headers that the portal reads. */
const RESPONSE_HEADERS =
  'X-Request-Id, Retry-After, X-RateLimit-Reset, X-RateLimit-Remaining, ETag, Link, X-Unreadable';
const PREFLIGHT_SECONDS = '7200';

/** Lets the pages of one other origin use the API with the session of their user (CORS). */
export class PortalOrigin {
  private constructor(private readonly origin: string) {}

  /** @param origin undefined or empty: pages of this origin only */
  static of(origin: string): PortalOrigin | undefined {
    return origin === '' ? undefined : new PortalOrigin(new URL(origin).origin);
  }

  /** @returns true when the request was a preflight of that origin, which has its response */
  allow({ method, headers }: IncomingMessage, response: ServerResponse): boolean {
    if (headers.origin !== this.origin) return false;
    response.setHeader('Access-Control-Allow-Origin', this.origin);
    response.setHeader('Access-Control-Allow-Credentials', 'true');
    response.setHeader('Access-Control-Expose-Headers', RESPONSE_HEADERS);
    response.setHeader('Vary', 'Origin');
    if (method !== 'OPTIONS' || headers['access-control-request-method'] === undefined) return false;
    for (const [name, value] of TRANSPORT_HEADERS) response.setHeader(name, value);
    response.setHeader('Access-Control-Allow-Methods', METHODS);
    response.setHeader('Access-Control-Allow-Headers', REQUEST_HEADERS);
    response.setHeader('Access-Control-Max-Age', PREFLIGHT_SECONDS);
    response.writeHead(204).end();
    return true;
  }
}
