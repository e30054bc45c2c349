import { type Identity, derivedId, newId } from '@plimsoll/contracts';
import { parseIdentityKeys, signIdentity } from '../identity/signed-identity';
import type { Caller } from './inner-client';

/**
 * Returns the identity under which a service reads from others when no caller exists. It is valid for 30 s.
 * See docs/architecture/README.md.
 * @param service its name
 * @param identityKeys value of IDENTITY_KEYS
 * @param nowMs milliseconds since 1970
 * @throws Error without a key
 */
export function serviceCaller(service: string, identityKeys: string, nowMs: number): Caller {
  const [key] = parseIdentityKeys(identityKeys);
  if (!key) throw new Error('IDENTITY_KEYS contains no key. Set it to the key of the gateway.');
  const identity: Identity = {
    accountId: derivedId('acc', `service:${service}`),
    keyId: derivedId('key', `service:${service}`),
    tier: 'enterprise',
    scopes: ['positions:read'],
    limits: { wallets: null, webhooks: null },
    requestId: newId('req'),
    issuedAt: Math.floor(nowMs / 1_000),
  };
  return { signedIdentity: signIdentity(identity, key) };
}
