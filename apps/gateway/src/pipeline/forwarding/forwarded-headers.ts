import { OWN_HEADERS } from '../response/response-headers';

/** Headers of one connection, never passed on (RFC 9110, 7.6.1). */
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

/**
 * Request headers that are not passed on either: the client's secrets, headers that the gateway sets, and how
 * the gateway was reached.
 */
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

const NOT_RETURNED: ReadonlySet<string> = new Set([...HOP_BY_HOP, ...OWN_HEADERS]);

/** Headers of this form belong to the platform. The gateway accepts none from outside. */
const INTERNAL_PREFIX = 'x-plimsoll-';

const NONE: ReadonlySet<string> = new Set();
const CONNECTION = 'connection';
const TRANSFER_ENCODING = 'transfer-encoding';

/** Headers that a Connection header names are hop-by-hop too. */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  let named = NONE;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== CONNECTION.length || name.toLowerCase() !== CONNECTION) continue;
    const value = rawHeaders[at + 1] ?? '';
    // The most frequent value. It only names a header that is removed in any case.
    if (value === 'keep-alive') continue;
    const tokens = value.split(',');
    named = new Set([...named, ...tokens.map((token) => token.trim().toLowerCase())]);
  }
  return named;
}

/**
 * Returns true when a body has at most the coding `chunked`. The parser decodes that one only, and the client
 * would not learn of another.
 */
export function hasPlainBody(rawHeaders: readonly string[]): boolean {
  let codings = 0;
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at] ?? '';
    if (name.length !== TRANSFER_ENCODING.length || name.toLowerCase() !== TRANSFER_ENCODING) continue;
    codings += 1;
    if (rawHeaders[at + 1]?.toLowerCase() !== 'chunked') return false;
  }
  return codings < 2;
}

/** Facts about a header name in one spelling. */
interface HeaderName {
  spelling: string;
  /** Lower case. */
  key: string;
  isForwarded: boolean;
  isReturned: boolean;
}

function readName(spelling: string): HeaderName {
  const key = spelling.toLowerCase();
  const isInternal = key.startsWith(INTERNAL_PREFIX);
  return {
    spelling,
    key,
    isForwarded: !isInternal && !NOT_FORWARDED.has(key),
    isReturned: !isInternal && !NOT_RETURNED.has(key),
  };
}

const USUAL = [
  'accept',
  'accept-encoding',
  'accept-language',
  'cache-control',
  'content-length',
  'content-type',
  'date',
  'etag',
  'idempotency-key',
  'if-none-match',
  'origin',
  'user-agent',
  'vary',
];

const capitalised = (key: string): string =>
  key.replace(/(?<=^|-)[a-z]/g, (letter) => letter.toUpperCase()).replace('Etag', 'ETag');

/** Names of most requests and responses, in the spellings that clients and services use. */
const COMMON: ReadonlyMap<string, HeaderName> = new Map(
  [...NOT_FORWARDED, ...USUAL]
    .flatMap((key) => [key, capitalised(key)])
    .map((spelling) => [spelling, readName(spelling)]),
);

/**
 * Visits headers that may be passed on.
 * @param named names that a Connection header names
 * @param pass receives the known name, the value as received, and its index
 */
function eachPassed(
  rawHeaders: readonly string[],
  named: ReadonlySet<string>,
  direction: 'isForwarded' | 'isReturned',
  pass: (name: HeaderName, value: string, place: number) => void,
): void {
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const spelling = rawHeaders[at] ?? '';
    const name = COMMON.get(spelling) ?? readName(spelling);
    if (!name[direction]) continue;
    if (named.size > 0 && named.has(name.key) && name.key !== 'content-length') continue;
    pass(name, rawHeaders[at + 1] ?? '', at / 2);
  }
}

/** Returns the headers of a client for a service, flat. */
export function requestHeaders(rawHeaders: readonly string[]): string[] {
  const headers: string[] = [];
  eachPassed(rawHeaders, namedByConnection(rawHeaders), 'isForwarded', ({ spelling }, value) =>
    headers.push(spelling, value),
  );
  return headers;
}

/** Facts about a service's response, and which of its headers a client receives. */
export interface ServiceHeaders {
  /** Indexes of the passed headers, from 0. */
  passed: number[];
  contentType: string | undefined;
  contentLength: string | undefined;
  /** The service closes the connection with this response. */
  isClosing: boolean;
  hasCacheControl: boolean;
  hasDate: boolean;
  hasETag: boolean;
  hasRetryAfter: boolean;
}

/** Reads the headers of a service's response in one pass. */
export function serviceHeaders(rawHeaders: readonly string[]): ServiceHeaders {
  const named = namedByConnection(rawHeaders);
  const read: ServiceHeaders = {
    passed: [],
    contentType: undefined,
    contentLength: undefined,
    isClosing: named.has('close'),
    hasCacheControl: false,
    hasDate: false,
    hasETag: false,
    hasRetryAfter: false,
  };
  eachPassed(rawHeaders, named, 'isReturned', ({ key }, value, place) => {
    read.passed.push(place);
    if (key === 'content-type') read.contentType = value;
    else if (key === 'content-length') read.contentLength = value;
    else if (key === 'etag') read.hasETag = true;
    else if (key === 'cache-control') read.hasCacheControl = true;
    else if (key === 'date') read.hasDate = true;
    else if (key === 'retry-after') read.hasRetryAfter = true;
  });
  return read;
}

/** Returns the headers for a client, flat. */
export function passedHeaders(rawHeaders: readonly string[], { passed }: ServiceHeaders): string[] {
  return passed.flatMap((place) => rawHeaders.slice(place * 2, place * 2 + 2));
}

/** Returns passedHeaders as lines of a head. */
export function passedLines(rawHeaders: readonly string[], { passed }: ServiceHeaders): string {
  let text = '';
  for (const place of passed) text += `${rawHeaders[place * 2]}: ${rawHeaders[place * 2 + 1]}\r\n`;
  return text;
}
