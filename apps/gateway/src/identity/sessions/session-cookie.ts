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
