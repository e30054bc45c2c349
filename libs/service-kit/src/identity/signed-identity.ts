import { type KeyObject, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { IDENTITY_MAX_AGE_SECONDS, type Identity } from '@plimsoll/contracts';

/** A key of the signed identity. Two may be live at once, so that they can be changed without a gap. */
export interface IdentityKey {
  id: string;
  secret: KeyObject;
}

/** Parses IDENTITY_KEYS: `<id>:<base64>`, comma-separated; the first signs. */
export function parseIdentityKeys(text: string): IdentityKey[] {
  return text.split(',').map((entry) => {
    const at = entry.indexOf(':');
    return { id: entry.slice(0, at), secret: createSecretKey(entry.slice(at + 1), 'base64') };
  });
}

const mac = (payload: string, key: IdentityKey): Buffer =>
  createHmac('sha256', key.secret).update(payload).digest();

/** `<key id>.<base64url JSON>.<base64url HMAC-SHA256>` (contracts.md, Identity). */
export function signIdentity(identity: Identity, key: IdentityKey): string {
  const payload = `${key.id}.${Buffer.from(JSON.stringify(identity)).toString('base64url')}`;
  return `${payload}.${createHmac('sha256', key.secret).update(payload).digest('base64url')}`;
}

/**
 * The identity of a header, or null when it is missing, malformed, signed by no known key, or not of the last 30 s.
 * @param nowSeconds Unix seconds
 */
export function verifyIdentity(
  header: string | undefined,
  keys: readonly IdentityKey[],
  nowSeconds: number,
): Identity | null {
  const [keyId, body, signature, ...rest] = (header ?? '').split('.');
  const key = keys.find(({ id }) => id === keyId);
  if (!key || !body || !signature || rest.length > 0) return null;
  const expected = mac(`${keyId}.${body}`, key);
  const given = Buffer.from(signature, 'base64url');
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return null;
  const identity = JSON.parse(Buffer.from(body, 'base64url').toString()) as Identity;
  return Math.abs(nowSeconds - identity.issuedAt) <= IDENTITY_MAX_AGE_SECONDS ? identity : null;
}
