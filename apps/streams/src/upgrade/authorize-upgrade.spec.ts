import { type Identity, type Problem, SCOPES } from '@plimsoll/contracts';
import { authorizeUpgrade } from './authorize-upgrade';

const identity: Identity = {
  accountId: 'acc_1',
  keyId: 'key_1',
  tier: 'enterprise',
  scopes: SCOPES,
  limits: { wallets: null, webhooks: null },
  requestId: 'req_1',
  issuedAt: 0,
};

const code = (path: string, over: Partial<Identity> | null): string => {
  try {
    return authorizeUpgrade(path, over && { ...identity, ...over }).stream;
  } catch (error) {
    return (error as Problem).code;
  }
};

describe('authorizeUpgrade', () => {
  it.each([
    ['/v1/streams/positions', {}, 'positions'],
    ['/v1/streams/alerts', { scopes: ['alerts:read'] as const }, 'alerts'],
    ['/v1/streams/alerts', null, 'missing_api_key'],
    ['/v1/streams/alerts', { tier: 'business' as const }, 'tier_required'],
    ['/v1/streams/alerts', { scopes: ['positions:read'] as const }, 'scope_required'],
    ['/v1/streams/positions', { scopes: ['alerts:read'] as const }, 'scope_required'],
    ['/v1/streams/whales', { scopes: ['analytics:read'] as const }, 'whales'],
    ['/v1/streams/whales', { scopes: ['alerts:read'] as const }, 'scope_required'],
    ['/v1/streams/nothing', {}, 'route_not_found'],
    ['/v1/streams/positions/', {}, 'route_not_found'],
    ['/v1/alerts', {}, 'route_not_found'],
    ['/', null, 'route_not_found'],
  ])('%s for %j: %s', (path, over, expected) => expect(code(path, over)).toBe(expected));
});
