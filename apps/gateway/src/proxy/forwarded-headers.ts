import { OWN_HEADERS } from '../edge/answer-headers';

/** Meant for one connection, never passed on (RFC 9110, 7.6.1). */
const HOP_BY_HOP: ReadonlySet<string> = new Set([
  'connection',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** The client's own that stay here: its secrets, what the gateway says itself, and how it reached the gateway. */
const NOT_FORWARDED: ReadonlySet<string> = new Set([
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

/** Every header of this form is the platform's own; none is let in (contracts.md, Identity). */
const INTERNAL_PREFIX = 'x-plimsoll-';

/** Headers that a Connection header names are hop-by-hop too. */
function namedByConnection(rawHeaders: readonly string[]): ReadonlySet<string> {
  const named = new Set<string>();
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    if (rawHeaders[at]?.toLowerCase() !== 'connection') continue;
    for (const token of rawHeaders[at + 1]?.split(',') ?? []) named.add(token.trim().toLowerCase());
  }
  return named;
}

function keep(rawHeaders: readonly string[], isKept: (name: string) => boolean): string[] {
  const named = namedByConnection(rawHeaders);
  const kept: string[] = [];
  for (let at = 0; at + 1 < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]?.toLowerCase() ?? '';
    if (HOP_BY_HOP.has(name) || (named.has(name) && name !== 'content-length') || !isKept(name)) continue;
    kept.push(rawHeaders[at] ?? '', rawHeaders[at + 1] ?? '');
  }
  return kept;
}

/** What of a client's headers a service gets, flat. */
export function requestHeaders(rawHeaders: readonly string[]): string[] {
  return keep(rawHeaders, (name) => !NOT_FORWARDED.has(name) && !name.startsWith(INTERNAL_PREFIX));
}

/** What of a service's headers a client gets, flat. */
export function responseHeaders(rawHeaders: readonly string[]): string[] {
  return keep(rawHeaders, (name) => !OWN_HEADERS.has(name) && !name.startsWith(INTERNAL_PREFIX));
}
