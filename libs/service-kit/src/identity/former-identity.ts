import { createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { SERVICES } from '@plimsoll/access';
import { type Claims, parseClaims } from './signed-identity';

/** Verifies an identity, and returns its claims or null. */
type Verify = (token: string) => Claims | null;

/**
 * Returns a verifier of the form before Ed25519, which every service could sign: `<key id>.<base64url
 * JSON>.<base64url HMAC-SHA256>`, for all services and without a proof. It exists so that services and gateway
 * can be updated one after the other. Without keys, it accepts nothing.
 * @param keys `<id>:<base64>`, separated by commas
 */
export function formerIdentities(keys: string): Verify {
  const entries = keys === '' ? [] : keys.split(',');
  const secrets = new Map(
    entries.map((entry) => {
      const at = entry.indexOf(':');
      return [entry.slice(0, at), createSecretKey(entry.slice(at + 1), 'base64')] as const;
    }),
  );
  return (token) => {
    const [id = '', body = '', signature = '', ...rest] = token.split('.');
    const secret = secrets.get(id);
    if (!secret || rest.length > 0) return null;
    const expected = createHmac('sha256', secret).update(`${id}.${body}`).digest();
    const given = Buffer.from(signature, 'base64url');
    if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
    return parseClaims(body, { audiences: SERVICES });
  };
}
