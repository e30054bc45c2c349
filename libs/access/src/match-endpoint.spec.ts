import { ENDPOINTS } from './endpoints';
import { compileEndpoints, matchEndpoint } from './match-endpoint';

describe('matchEndpoint', () => {
  it('finds every row of the table under its own method', () => {
    for (const endpoint of ENDPOINTS) {
      const path = endpoint.path.replace(/:[a-z]+/g, 'x');
      expect(matchEndpoint(endpoint.method, path)).toEqual({ kind: 'endpoint', endpoint });
    }
  });

  it('names the methods of a known path', () => {
    expect(matchEndpoint('PUT', '/v1/wallets')).toEqual({
      kind: 'method_not_allowed',
      allowed: ['GET', 'POST'],
    });
  });

  it.each(['/v1', '/v1/', '/v1/nope', '/v1/wallets/', '/v1//wallets', '/v1/wallets/a/b', '/'])(
    'has no entry for %s',
    (path) => {
      expect(matchEndpoint('GET', path)).toEqual({ kind: 'not_found' });
    },
  );

  it('treats HEAD as GET', () => {
    expect(matchEndpoint('HEAD', '/v1/status').kind).toBe('endpoint');
  });

  it('rejects a table with the same row twice', () => {
    const [first] = ENDPOINTS;
    expect(() => compileEndpoints([first!, first!])).toThrow('is in the table twice');
  });
});
