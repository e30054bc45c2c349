import { type KeyObject, sign, verify } from 'node:crypto';
import {
  IDENTITY_MAX_AGE_SECONDS,
  type Identity,
  type Scope,
  TIERS,
  type Tier,
  derivedId,
} from '@plimsoll/contracts';
import type { KeyPair } from '@plimsoll/access';

/** The signed content of an identity. */
export interface Claims extends Omit<Identity, 'requestId'> {
  /** Services that may accept it. */
  audiences: readonly string[];
}

/** The service that signs the identities of callers. */
export const ISSUER = 'gateway';

/** Seconds by which the clocks of two machines may differ. */
export const CLOCK_TOLERANCE_SECONDS = 5;

/** Returns `<key id>.<base64url JSON>.<base64url Ed25519 signature>`. See docs/architecture/identity.md. */
export function signIdentity(claims: Claims, { id, signing }: Pick<KeyPair, 'id' | 'signing'>): string {
  const payload = `${id}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
  return `${payload}.${sign(null, Buffer.from(payload), signing).toString('base64url')}`;
}

/** Returns the account of a service itself, for work that no caller requested. */
export const accountOfService = (service: string): string => derivedId('acc', `service:${service}`);

/** Returns the claims of an identity of this service itself, for work that no caller requested. */
export function serviceClaims(service: string, audiences: readonly string[], nowMs: number): Claims {
  return {
    accountId: accountOfService(service),
    keyId: derivedId('key', `service:${service}`),
    tier: 'enterprise',
    scopes: ['positions:read'],
    limits: { wallets: null, webhooks: null },
    audiences,
    issuedAt: Math.floor(nowMs / 1_000),
  };
}

/**
 * Returns the claims of an identity, or null when it is malformed or signed by an unknown key. A service other
 * than the gateway can only sign its own account.
 * @param find returns a valid public key by its id
 */
export function verifySignature(
  token: string,
  find: (id: string) => { service: string; signing: KeyObject } | undefined,
): Claims | null {
  const [id = '', body = '', signature = '', ...rest] = token.split('.');
  const key = find(id);
  if (!key || rest.length > 0) return null;
  const text = Buffer.from(`${id}.${body}`);
  if (!verify(null, text, key.signing, Buffer.from(signature, 'base64url'))) return null;
  const claims = parseClaims(body);
  if (!claims || key.service === ISSUER) return claims;
  const own = serviceClaims(key.service, claims.audiences, 0);
  return claims.accountId === own.accountId ? { ...own, issuedAt: claims.issuedAt } : null;
}

/**
 * Returns the claims of a payload, or null for another form: a service can sign anything.
 * @param more claims that the payload does not state
 */
export function parseClaims(body: string, more: Partial<Claims> = {}): Claims | null {
  try {
    const payload: unknown = JSON.parse(Buffer.from(body, 'base64url').toString());
    const claims: unknown = { ...(payload as object), ...more };
    return isClaims(claims) ? claims : null;
  } catch {
    return null;
  }
}

function isClaims(value: unknown): value is Claims {
  if (typeof value !== 'object' || value === null) return false;
  const { accountId, keyId, tier, scopes, limits, audiences, issuedAt } = value as Record<string, unknown>;
  return (
    typeof accountId === 'string' &&
    typeof keyId === 'string' &&
    TIERS.includes(tier as Tier) &&
    isTexts<Scope>(scopes) &&
    typeof limits === 'object' &&
    limits !== null &&
    isTexts(audiences) &&
    Number.isInteger(issuedAt)
  );
}

function isTexts<T extends string>(value: unknown): value is T[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string');
}

/** Returns whether a signature of this time is valid: for 30 s, and 5 s early where the clocks differ. */
export function isRecentlyIssued(issuedAt: number, nowMs: number): boolean {
  const ageSeconds = Math.floor(nowMs / 1_000) - issuedAt;
  return ageSeconds >= -CLOCK_TOLERANCE_SECONDS && ageSeconds <= IDENTITY_MAX_AGE_SECONDS;
}
