import { Problem } from '@plimsoll/contracts';
import type { IncomingHttpHeaders } from 'node:http';

export const FOREIGN = new Problem(
  'foreign_origin',
  'A session is only for pages of this origin. Send the request from there, or send an API key in x-api-key.',
);

const NAME = 'plimsoll_session';
/** 32 random bytes, base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * With the prefix, a browser accepts the cookie only over https and only for this host, and no other host can
 * set it.
 */
const nameOf = (isSecure: boolean): string => (isSecure ? `__Host-${NAME}` : NAME);

/** Returns the token of a Cookie header, or undefined. */
export function sessionToken(cookies: string | undefined, isSecure: boolean): string | undefined {
  if (cookies === undefined) return undefined;
  const start = `${nameOf(isSecure)}=`;
  const found = cookies.split(';').find((each) => each.trimStart().startsWith(start));
  const token = found?.trim().slice(start.length);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Returns the value of Set-Cookie for a session. Strict: no other site can make a browser send it. */
export function sessionCookie(token: string, isSecure: boolean, maxAgeSeconds: number): string {
  const secure = isSecure ? '; Secure' : '';
  return `${nameOf(isSecure)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

/** Returns the value of Set-Cookie that removes the session's cookie. */
export function endedCookie(isSecure: boolean): string {
  return sessionCookie('', isSecure, 0);
}

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
