import { Problem } from '@plimsoll/contracts';
import { matchRoute, pathOf } from './match-route';

const codeOf = (method: string, path: string): string => {
  const route = matchRoute(method, path);
  return route instanceof Problem ? route.code : route.path;
};

describe('matchRoute', () => {
  it('finds the row of the table', () => {
    expect(codeOf('GET', pathOf('/v1/positions/pos_1?x=/..'))).toBe('/v1/positions/:id');
    expect(codeOf('HEAD', '/v1/status')).toBe('/v1/status');
  });

  it('responds with 405 and the methods of the path', () => {
    const route = matchRoute('PUT', '/v1/wallets') as Problem;
    expect(route.code).toBe('method_not_allowed');
    expect(route.options.headers).toEqual({ Allow: 'GET, POST, HEAD' });
  });

  it.each([
    '/v1',
    '/v1/nothing',
    '/v1//status',
    '/v1/status/',
    '/v1/positions/..',
    '/v1/positions/%2e%2e',
    '/v1/positions/%2E',
    '/v1/positions/a%2fb',
    '/v1/positions/a%5Cb',
    '/v1/positions/a\\b',
    '/v1/positions/a%00',
  ])('responds with 404 for %s', (path) => {
    expect(codeOf('GET', path)).toBe('route_not_found');
  });
});
