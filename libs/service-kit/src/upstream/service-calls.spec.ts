import { CALL_HEADER, IDENTITY_HEADER } from '@plimsoll/contracts';
import { testIdentityKeys, testServiceIdentity } from '@plimsoll/testing';
import { ServiceConfig } from '../config/service.config';
import { ServiceCalls } from './service-calls';

const [keys, path] = [testIdentityKeys(), '/v1/positions/pos_1?a=b'];
const callsOf = (name: string): ServiceCalls =>
  new ServiceCalls(new ServiceConfig(), testServiceIdentity(keys, name));

describe('ServiceCalls', () => {
  it('identifies this service to another', () => {
    const calls = callsOf('alerts');
    const headers = calls.headers('positions', 'GET', path, calls.ownCaller(Date.now()));
    const verified = testServiceIdentity(keys, 'positions').verify(
      { method: 'GET', path, headers },
      Date.now(),
    );
    expect(Object.keys(headers)).toEqual([IDENTITY_HEADER, CALL_HEADER]);
    expect(verified).toMatchObject({ from: 'alerts', identity: { scopes: ['positions:read'] } });
  });

  it('throws for a request that the other service would reject', () => {
    const calls = callsOf('alerts');
    expect(() => calls.headers('positions', 'POST', '/v1/wallets', calls.ownCaller(Date.now()))).toThrow(
      'libs/access/src/service-calls.ts has no POST /v1/wallets from alerts to positions',
    );
  });
});
