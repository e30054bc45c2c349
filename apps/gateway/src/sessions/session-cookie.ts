const NAME = 'plimsoll_session';
/** 32 random bytes, base64url. */
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

/** With the prefix a browser takes the cookie over https alone, for this host alone, and no other host can set it. */
const nameOf = (isSecure: boolean): string => (isSecure ? `__Host-${NAME}` : NAME);

/** The token of a Cookie header, or undefined when there is none of ours. */
export function sessionToken(cookies: string | undefined, isSecure: boolean): string | undefined {
  if (cookies === undefined) return undefined;
  const start = `${nameOf(isSecure)}=`;
  const found = cookies.split(';').find((each) => each.trimStart().startsWith(start));
  const token = found?.trim().slice(start.length);
  return token !== undefined && TOKEN.test(token) ? token : undefined;
}

/** Value of Set-Cookie for a session. Strict: no other site can make a browser send it. */
export function sessionCookie(token: string, isSecure: boolean, maxAgeSeconds: number): string {
  const secure = isSecure ? '; Secure' : '';
  return `${nameOf(isSecure)}=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=${maxAgeSeconds}${secure}`;
}

/** Value of Set-Cookie that takes the session's cookie away. */
export function endedCookie(isSecure: boolean): string {
  return sessionCookie('', isSecure, 0);
}
