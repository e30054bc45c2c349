import { type Identity, SCOPES } from '@plimsoll/contracts';
import { refusalOf } from './may-read';

const identity = (over: Partial<Identity>): Identity => ({
  accountId: 'acc_1',
  keyId: 'key_1',
  tier: 'pro',
  scopes: SCOPES,
  limits: { wallets: null, webhooks: null },
  requestId: 'req_1',
  issuedAt: 0,
  ...over,
});

describe('refusalOf', () => {
  it('a key without the scope of a request gets none of its data in an answer', () => {
    const asker = identity({ scopes: ['analytics:read'] });
    expect(refusalOf(asker, 'GET', '/v1/alerts?limit=200')).toContain('alerts:read');
    expect(refusalOf(asker, 'GET', '/v1/positions/pos_1')).toContain('positions:read');
    expect(refusalOf(asker, 'GET', '/v1/risk/index')).toBeNull();
  });

  it('records of a higher tier are not available; figures computed from positions are', () => {
    expect(refusalOf(identity({}), 'GET', '/v1/incidents/inc_1')).toContain('business');
    expect(refusalOf(identity({}), 'GET', '/v1/whales/activity')).toContain('business');
    expect(refusalOf(identity({ tier: 'business' }), 'GET', '/v1/whales/activity')).toBeNull();
    expect(refusalOf(identity({}), 'POST', '/v1/positions/pos_1/deleverage')).toBeNull();
  });

  it('refuses a path that is no request', () => {
    expect(refusalOf(identity({}), 'GET', '/v1/nothing')).not.toBeNull();
    expect(refusalOf(identity({}), 'GET', '/v1/positions/../alerts')).not.toBeNull();
  });
});
