import type { IncomingHttpHeaders } from 'node:http';

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/**
 * Returns the origin under which a browser reaches this gateway: PUBLIC_URL, or the Host header with https,
 * or http for the loopback.
 */
export function ownOrigin(publicUrl: string, host: string | undefined): string {
  if (publicUrl !== '') return new URL(publicUrl).origin;
  const name = (host ?? '').toLowerCase();
  return `${LOOPBACK.test(name) ? 'http' : 'https'}://${name}`;
}

/**
 * Returns true for a request that a page of another origin caused. A client that is not a browser sends
 * neither header, and no foreign cookie. Every browser sends one of them with a change. Rules: Go's
 * http.CrossOriginProtection, also for GET.
 */
export function isForeignCall(headers: IncomingHttpHeaders, own: string): boolean {
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && headers.origin.toLowerCase() !== own;
}
