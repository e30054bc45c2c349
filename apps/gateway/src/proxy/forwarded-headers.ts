import { OWN_HEADERS } from '../edge/answer-headers';

/** Meant for one connection, never passed on (RFC 9110, 7.6.1). */
const HOP_BY_HOP = [
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
];

/** Of a request these stay here too: the client's secrets, what the gateway says itself, and how it was reached. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
  ...HOP_BY_HOP,
  'authorization',
  'cookie',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'traceparent',
  'x-api-key',
  'x-forwarded-for',
  'x-forwarded-host',
  'x-forwarded-proto',
  'x-real-ip',
  'x-request-id',
]);

const NOT_ANSWERED: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...OWN_HEADERS]);

/** Every header of this form is the platform's own; none is let in (contracts.md, Identity). */
const INTERNAL_PREFIX = 'x-plimsoll-';

const NONE: ReadonlySet<string> = new Set();
const CONNECTION = 'connection';

/** Headers that a Connection header names are hop-by-hop too. */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  let named = NONE;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== CONNECTION.length || name.toLowerCase() !== CONNECTION) continue;
    const tokens = rawHeaders[at + 1]?.split(',') ?? [];
    named = new Set([...named, ...tokens.map((token) => token.trim().toLowerCase())]);
  }
  return named;
}

/** Goes over headers that may be passed on. @param pass gets the name in lower case, and the name and value as they came */
function eachPassed(
  rawHeaders: readonly string[],
  dropped: ReadonlySet<string>,
  pass: (key: string, name: string, value: string) => void,
): void {
  const named = namedByConnection(rawHeaders);
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    const key = name.toLowerCase();
    if (dropped.has(key) || key.startsWith(INTERNAL_PREFIX)) continue;
    if (named.has(key) && key !== 'content-length') continue;
    pass(key, name, rawHeaders[at + 1] ?? '');
  }
}

/** What of a client's headers a service gets, flat. */
export function requestHeaders(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  eachPassed(rawHeaders, NOT_FORWARDED, (_, name, value) => headers.push(name, value));
  return headers;
}

/** What the gateway needs to know of a service's answer, and what of its headers a client gets. */
export interface ServiceHeaders {
  /** Flat. */
  passed: string[];
  contentType: string | undefined;
  contentLength: string | undefined;
  hasCacheControl: boolean;
  hasETag: boolean;
  hasRetryAfter: boolean;
}

/** Reads the headers of a service's answer in one pass. */
export function serviceHeaders(rawHeaders: readonly string[]): ServiceHeaders {
  const read: ServiceHeaders = {
    passed: [],
    contentType: undefined,
    contentLength: undefined,
    hasCacheControl: false,
    hasETag: false,
    hasRetryAfter: false,
  };
  eachPassed(rawHeaders, NOT_ANSWERED, (key, name, value) => {
    read.passed.push(name, value);
    if (key === 'content-type') read.contentType = value;
    else if (key === 'content-length') read.contentLength = value;
    else if (key === 'etag') read.hasETag = true;
    else if (key === 'cache-control') read.hasCacheControl = true;
    else if (key === 'retry-after') read.hasRetryAfter = true;
  });
  return read;
}
