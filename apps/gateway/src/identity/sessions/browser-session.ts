import { Problem } from '@plimsoll/contracts';
import type { IncomingHttpHeaders } from 'node:http';

export const FOREIGN = new Problem(
  'foreign_origin',
  'A session is only for pages of this origin. Send the request from there, or send an API key in x-api-key.',
);

export const NOT_RECENT = new Problem(
  'recent_log_in_required',
  'Confirm the password first: POST /account/v1/session/confirm. Keys and secrets need it for ten minutes.',
);

const SESSION = 'plimsoll_session';
const DEVICE = 'plimsoll_device';
const DEVICE_MAX_AGE_SECONDS = 31_536_000;
/** 32 random bytes, base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/**
 * With the prefix, a browser accepts the cookie only over https and only for this host, and no other host can
 * set it.
 */
const nameOf = (name: string, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name);

function tokenOf(name: string, cookies: string | undefined, isSecure: boolean): string | undefined {
  if (cookies === undefined) return undefined;
  const start = `${nameOf(name, isSecure)}=`;
  const found = cookies.split(';').find((each) => each.trimStart().startsWith(start));
  const token = found?.trim().slice(start.length);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Strict: no other site can make a browser send it. */
function cookie(name: string, token: string, isSecure: boolean, maxAgeSeconds: number): string {
  const secure = isSecure ? '; Secure' : '';
  return `${nameOf(name, isSecure)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

/** Returns the token of a session in a Cookie header, or undefined. */
export const sessionToken = (cookies: string | undefined, isSecure: boolean): string | undefined =>
  tokenOf(SESSION, cookies, isSecure);

/** Returns the token of a known device in a Cookie header, or undefined. */
export const deviceToken = (cookies: string | undefined, isSecure: boolean): string | undefined =>
  tokenOf(DEVICE, cookies, isSecure);

/** Returns the value of Set-Cookie for a session. */
export const sessionCookie = (token: string, isSecure: boolean, maxAgeSeconds: number): string =>
  cookie(SESSION, token, isSecure, maxAgeSeconds);

/** Returns the value of Set-Cookie that removes the session's cookie. */
export const endedCookie = (isSecure: boolean): string => cookie(SESSION, '', isSecure, 0);

/** Returns the value of Set-Cookie for a browser that logged in. It gives no access. */
export const deviceCookie = (token: string, isSecure: boolean): string =>
  cookie(DEVICE, token, isSecure, DEVICE_MAX_AGE_SECONDS);

const LOOPBACK = /^(?:localhost|127(?:\.\d{1,3}){3}|\[::1\])(?::\d+)?$/i;

/** Whether the value of a Host header names the loopback. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host);

/**
 * Returns the origin under which a browser reaches this gateway: PUBLIC_URL, or the Host header with https,
 * or http for the loopback.
 */
export function ownOrigin(publicUrl: string, host: string | undefined): string {
  if (publicUrl !== '') return new URL(publicUrl).origin;
  const name = (host ?? '').toLowerCase();
  return `${isLoopback(name) ? 'http' : 'https'}://${name}`;
}

/**
 * Returns true for a request that a page of another origin caused. A client that is not a browser sends
 * neither header, and no foreign cookie. Every browser sends one of them with a change. Rules: Go's
 * http.CrossOriginProtection, also for GET.
 * @param portal PORTAL_ORIGIN, whose pages are not foreign
 */
export function isForeignRequest(headers: IncomingHttpHeaders, own: string, portal = ''): boolean {
  if (portal !== '' && headers.origin === new URL(portal).origin) return false;
  const site = headers['sec-fetch-site'];
  if (site !== undefined) return site !== 'same-origin' && site !== 'none';
  return headers.origin !== undefined && headers.origin.toLowerCase() !== own;
}
