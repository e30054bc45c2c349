import { randomBytes } from 'node:crypto';
import { IDENTITY_HEADER, type Identity, SCOPES } from '@plimsoll/contracts';
import { parseIdentityKeys, signIdentity } from '@plimsoll/service-kit';

/** A value of IDENTITY_KEYS. */
export function testIdentityKeys(): string {
  return `test:${randomBytes(32).toString('base64')}`;
}

/**
 * The header by which a service identifies the caller. The default is an enterprise account with every scope.
 */
export function identityHeaders(
  identityKeys: string,
  accountId: string,
  over: Partial<Identity> = {},
): Record<string, string> {
  const [key] = parseIdentityKeys(identityKeys);
  if (!key) throw new Error('IDENTITY_KEYS contains no key: use testIdentityKeys()');
  const identity: Identity = {
    accountId,
    keyId: 'key_test',
    tier: 'enterprise',
    scopes: SCOPES,
    limits: { wallets: null, webhooks: null },
    requestId: 'req_test',
    issuedAt: Math.floor(Date.now() / 1000),
    ...over,
  };
  return { [IDENTITY_HEADER]: signIdentity(identity, key) };
}
