import { endedCookie, sessionCookie, sessionToken } from './session-cookie';

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
