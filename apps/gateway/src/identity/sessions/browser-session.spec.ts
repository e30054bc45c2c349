import { endedCookie, isForeignRequest, ownOrigin, sessionCookie, sessionToken } from './browser-session';

const token = 'a'.repeat(43);

describe('session cookie', () => {
  it('is Secure, for this host only, and hidden from scripts', () => {
    expect(sessionCookie(token, true, 60)).toBe(
      `__Host-plimsoll_session=${token}; Path=/; HttpOnly; SameSite=Strict; Max-Age=60; Secure`,
    );
    expect(sessionCookie(token, false, 60)).not.toMatch(/Secure|__Host/);
    expect(endedCookie(true)).toMatch(/^__Host-plimsoll_session=; .*Max-Age=0; Secure$/);
  });

  it.each([
    [`plimsoll_session=${token}`, false, token],
    [`a=b; plimsoll_session=${token}; c=d`, false, token],
    [`__Host-plimsoll_session=${token}`, true, token],
    // Any neighbour host or plain http could have set this one.
    [`plimsoll_session=${token}`, true, undefined],
    ['plimsoll_session=short', false, undefined],
    [`x_plimsoll_session=${token}`, false, undefined],
    ['', false, undefined],
    [undefined, false, undefined],
  ])('for %p (secure: %p) the token is %p', (cookies, isSecure, expected) => {
    expect(sessionToken(cookies, isSecure)).toBe(expected);
  });
});

describe('ownOrigin', () => {
  it.each([
    ['https://api.example.com/', 'internal:4000', 'https://api.example.com'],
    ['', '127.0.0.1:4000', 'http://127.0.0.1:4000'],
    ['', 'LOCALHOST:4000', 'http://localhost:4000'],
    ['', '[::1]:4000', 'http://[::1]:4000'],
    ['', 'localhost.example.com', 'https://localhost.example.com'],
    ['', '127.0.0.1.example.com', 'https://127.0.0.1.example.com'],
    ['', undefined, 'https://'],
  ])('PUBLIC_URL %p and Host %p: %s', (publicUrl, host, origin) => {
    expect(ownOrigin(publicUrl, host)).toBe(origin);
  });
});

describe('isForeignRequest', () => {
  const own = 'https://api.example.com';
  it.each([
    [{}, false],
    [{ 'sec-fetch-site': 'same-origin' }, false],
    [{ 'sec-fetch-site': 'none' }, false],
    [{ 'sec-fetch-site': 'same-site' }, true],
    [{ 'sec-fetch-site': 'cross-site' }, true],
    [{ 'sec-fetch-site': 'cross-site', origin: own }, true],
    [{ origin: own }, false],
    [{ origin: 'https://evil.example' }, true],
    [{ origin: 'http://api.example.com' }, true],
    [{ origin: 'null' }, true],
  ])('%j: %p', (headers, isForeign) => {
    expect(isForeignRequest(headers, own)).toBe(isForeign);
  });

  it('is false for the one other origin of the portal', () => {
    const portal = 'https://portal.example.com';
    const from = (origin: string) => ({ 'sec-fetch-site': 'same-site', origin });
    expect(isForeignRequest(from(portal), own, portal)).toBe(false);
    expect(isForeignRequest(from(`${portal}.evil.example`), own, portal)).toBe(true);
    expect(isForeignRequest({ 'sec-fetch-site': 'same-site' }, own, portal)).toBe(true);
    expect(isForeignRequest(from(portal), own)).toBe(true);
  });
});
