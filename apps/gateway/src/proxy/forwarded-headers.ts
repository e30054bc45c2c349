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

function without(rawHeaders: readonly string[], dropped: ReadonlySet<string>): string[] {
  const named = namedByConnection(rawHeaders);
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (dropped.has(name) || name.startsWith(INTERNAL_PREFIX)) continue;
    if (named.has(name) && name !== 'content-length') continue;
    kept.push(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  return kept;
}

/** What of a client's headers a service gets, flat. */
export function requestHeaders(rawHeaders: readonly string[]): string[] {
  return without(rawHeaders, NOT_FORWARDED);
}

/** What of a service's headers a client gets, flat. */
export function responseHeaders(rawHeaders: readonly string[]): string[] {
  return without(rawHeaders, NOT_ANSWERED);
}
