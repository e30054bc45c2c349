import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * The origin under which a browser reaches this gateway: PUBLIC_URL, or without it what the Host header says, which is
 * taken for https unless it names the loopback.
 */
export function ownOrigin(publicUrl: string, host: string | undefined): string {
  if (publicUrl !== '') return new URL(publicUrl).origin;
  const name = (host ?? '').toLowerCase();
  return `${LOOPBACK.test(name) ? 'http' : 'https'}://${name}`;
}

/**
 * True for a call that a page of another origin made a browser send. A caller that is no browser sends neither header,
 * and nobody else's cookie; every browser sends one of them with what changes something. Rules: Go's
 * http.CrossOriginProtection, held for GET too.
 */
export function isForeignCall(headers: IncomingHttpHeaders, own: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && headers.origin.toLowerCase() !== own;
}
