import { type KeyObject, createHmac, createSecretKey, timingSafeEqual } from 'node:crypto';
import { IDENTITY_MAX_AGE_SECONDS, type Identity } from '@plimsoll/contracts';
import { hmacSha256 } from './hmac-sha256';

/** A key of the signed identity. Two keys may be active, so that a rotation needs no downtime. */
export interface IdentityKey {
  id: string;
  secret: KeyObject;
}

/** Parses IDENTITY_KEYS: `<id>:<base64>`, separated by commas. The first key signs. */
export function parseIdentityKeys(text: string): IdentityKey[] {
  return text.split(',').map((entry) => {
    const at = entry.indexOf(':');
    return { id: entry.slice(0, at), secret: createSecretKey(entry.slice(at + 1), 'base64') };
  });
}

const mac = (payload: string, key: IdentityKey): Buffer =>
  createHmac('sha256', key.secret).update(payload).digest();

/** Returns `<key id>.<base64url JSON>.<base64url HMAC-SHA256>`. See docs/architecture/README.md. */
export function signIdentity(identity: Identity, key: IdentityKey): string {
  const { requestId, issuedAt, ...caller } = identity;
  return new IdentitySigner(caller, key).sign(requestId, issuedAt);
}

/** Signs the identities of one caller. It encodes the common part of all its requests once. */
export class IdentitySigner {
  private readonly start: string;
  private readonly mac: (payload: string) => string;

  constructor(caller: Omit<Identity, 'requestId' | 'issuedAt'>, key: IdentityKey) {
    const common = `${JSON.stringify(caller).slice(1, -1)},"requestId":"`;
    // Pads the common part to whole groups of three bytes, so that the rest can be encoded separately. JSON
    // allows the blanks.
    const blanks = ' '.repeat(2 - (Buffer.byteLength(common) % 3));
    this.start = `${key.id}.${Buffer.from(`{${blanks}${common}`).toString('base64url')}`;
    this.mac = hmacSha256(key.secret);
  }

  /**
   * @param requestId must need no escape in JSON
   * @param issuedAt Unix seconds
   */
  sign(requestId: string, issuedAt: number): string {
    const rest = Buffer.from(`${requestId}","issuedAt":${issuedAt}}`, 'latin1').toString('base64url');
    const payload = this.start + rest;
    return `${payload}.${this.mac(payload)}`;
  }
}

/**
 * Returns the identity of a header, or null when it is missing, malformed, signed by an unknown key, or older
 * than 30 s.
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
