import { createHash, randomBytes } from 'node:crypto';

/** Returns a new secret of 256 bits for a cookie or a mail: 43 characters of base64url. */
export function newSecretToken(): string {
  return randomBytes(32).toString('base64url');
}

/** Returns its stored form: SHA-256 as lower-case hex. So much randomness needs no slow hash. */
export function hashSecretToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
