import { ENDPOINTS, type Endpoint, generateApiKey } from '@plimsoll/access';
import { SCOPES, TIERS, type Tier, tierIncludes } from '@plimsoll/contracts';
import { expectDocumented } from '@plimsoll/testing';
import { randomBytes } from 'node:crypto';
import { version } from '../../../package.json';
import { Fixture, type TestKey, type TestResponse, call, expectFiveHeaders } from './fixture';
import type { ReceivedRequest } from './test-upstream';

jest.setTimeout(60_000);

const targetOf = ({ path }: Endpoint): string => path.replace(/:\w+/g, 'x1');
const outcomeOf = ({ status, body }: TestResponse): unknown[] => [status, body.code];
/** test-keys.e2e-spec.ts tests those of the sandbox, which no live key may use. */
const httpEndpoints = ENDPOINTS.filter(({ upgrade, service }) => !upgrade && service !== 'sandbox');

describe('access', () => {
  let fixture: Fixture;
  let gateway: string;
  const keys = {} as Record<Tier, TestKey>;

  beforeAll(async () => {
    fixture = await Fixture.start();
    gateway = await fixture.gateway();
    for (const tier of TIERS) {
      keys[tier] = await fixture.account(tier, tier === 'enterprise' ? { perMinute: 100_000 } : {});
    }
  });
  afterAll(() => fixture.stop());

  describe.each(httpEndpoints.map((endpoint) => [`${endpoint.method} ${endpoint.path}`, endpoint] as const))(
    '%s',
    (_, endpoint) => {
      it.each(TIERS)('on %s: success or 403 tier_required', async (tier) => {
        // There are more endpoints than requests per minute in the lower tiers.
        const key = tier === 'enterprise' ? keys.enterprise : await fixture.account(tier);
        const response = await call(gateway, targetOf(endpoint), key.key, { method: endpoint.method });
        const isAllowed = tierIncludes(tier, endpoint.tier);
        expect([response.status, response.body.code, response.body.requiredTier]).toEqual(
          isAllowed ? [200, undefined, undefined] : [403, 'tier_required', endpoint.tier],
        );
        expectFiveHeaders(response.headers, tier);
      });

      it('403 without its scope, success with only that scope', async () => {
        const { accountId } = keys.enterprise;
        const others = await fixture.key(
          accountId,
          SCOPES.filter((scope) => scope !== endpoint.scope),
        );
        const response = await call(gateway, targetOf(endpoint), others.key, { method: endpoint.method });
        expect([response.status, response.body.code]).toEqual(
          endpoint.scope ? [403, 'scope_required'] : [200, undefined],
        );
        const own = await fixture.key(accountId, endpoint.scope ? [endpoint.scope] : ['alerts:read']);
        expect((await call(gateway, targetOf(endpoint), own.key, { method: endpoint.method })).status).toBe(
          200,
        );
      });
    },
  );

  it('passes the signed caller and the correlation to the service', async () => {
    const { key, keyId, accountId } = keys.business;
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const response = await call(gateway, '/v1/positions/pos_1?a=%20b', key, {
      headers: { 'x-request-id': 'my-call.1', traceparent, 'x-api-key': key },
    });
    const seen = response.body as unknown as ReceivedRequest;
    expect(response.headers).toMatchObject({ 'x-request-id': 'my-call.1', etag: '"1"' });
    expect(seen.target).toBe('/v1/positions/pos_1?a=%20b');
    expect(seen.identity).toMatchObject({
      accountId,
      keyId,
      tier: 'business',
      scopes: [...SCOPES],
      limits: { wallets: 500, webhooks: 20 },
    });
    expect(seen.headers['x-request-id']).toBe('my-call.1');
    expect(seen.headers.traceparent).toMatch(
      /^00-4bf92f3577b34da6a3ce929d0e0e4736-(?!00f067aa0ba902b7)[0-9a-f]{16}-01$/,
    );
    expect(seen.headers).not.toHaveProperty('x-api-key');
  });

  it('removes an identity and internal headers that come from outside', async () => {
    const response = await call(gateway, '/v1/positions', keys.enterprise.key, {
      headers: {
        'X-Plimsoll-Identity': 'test.forged.x',
        'x-plimsoll-other': '1',
        authorization: `Bearer ${keys.enterprise.key}`,
      },
    });
    const seen = response.body as unknown as ReceivedRequest;
    expect(seen.identity?.accountId).toBe(keys.enterprise.accountId);
    expect(seen.headers).not.toHaveProperty('x-plimsoll-other');
    expect(seen.headers).not.toHaveProperty('authorization');
  });

  it('accepts the key as a bearer token', async () => {
    const headers = { authorization: `Bearer ${keys.enterprise.key}` };
    expect((await call(gateway, '/v1/positions', undefined, { headers })).status).toBe(200);
  });

  it.each([
    ['no key', {}, 'missing_api_key'],
    ['another scheme', { authorization: 'Basic eA==' }, 'missing_api_key'],
    ['no key of ours', { 'x-api-key': 'hello' }, 'invalid_api_key'],
    [
      'a well-formed key that does not exist',
      { 'x-api-key': generateApiKey('live', randomBytes) },
      'invalid_api_key',
    ],
  ])('401 with %s', async (_, headers: Record<string, string>, code) => {
    const response = await call(gateway, '/v1/positions', undefined, { headers });
    expect([response.status, response.body.code]).toEqual([401, code]);
    expectFiveHeaders(response.headers, 'open');
  });

  it('401 with two keys that differ', async () => {
    const headers = { authorization: `Bearer ${keys.enterprise.key}` };
    const response = await call(gateway, '/v1/positions', keys.pro.key, { headers });
    expect([response.status, response.body.code]).toEqual([401, 'invalid_api_key']);
  });

  it.each([
    ['GET', '/v1', 404, 'route_not_found'],
    ['GET', '/v1/nothing', 404, 'route_not_found'],
    ['GET', '/v1/positions/%2e%2e', 404, 'route_not_found'],
    ['PUT', '/v1/wallets', 405, 'method_not_allowed'],
    ['OPTIONS', '/v1/positions', 405, 'method_not_allowed'],
    ['GET', '/v1/streams/alerts', 400, 'invalid_request'],
  ] as const)('%s %s: %i %s with a problem body', async (method, target, status, code) => {
    const response = await call(gateway, target, keys.enterprise.key, { method });
    expect(response.status).toBe(status);
    expect(response.headers['content-type']).toBe('application/problem+json');
    expect(response.body).toMatchObject({
      status,
      code,
      instance: target,
      requestId: response.headers['x-request-id'],
    });
    expectFiveHeaders(response.headers, 'enterprise');
  });

  it('responds to HEAD as to GET, without a body', async () => {
    const response = await call(gateway, '/v1/status', keys.enterprise.key, { method: 'HEAD' });
    expect([response.status, response.body]).toEqual([200, {}]);
    expectFiveHeaders(response.headers, 'enterprise');
  });

  it('GET /v1/status reports the version and the state of every service', async () => {
    const response = await call(gateway, '/v1/status', keys.enterprise.key);
    expectDocumented('GET', '/v1/status', response);
    expect(response.body).toMatchObject({
      status: 'operational',
      version,
      services: { positions: 'operational', alerts: 'operational' },
    });
    expect(version).toMatch(/^\d+\.\d+\.\d+$/);
    expect(new Date(String(response.body.timestamp)).toISOString()).toBe(response.body.timestamp);
  });

  it.each(['/metrics', '/health/ready', '/health'])('has no %s for clients', async (path) => {
    expect(outcomeOf(await call(gateway, path))).toEqual([404, 'route_not_found']);
    expect(outcomeOf(await call(gateway, '/inner/readiness'))).toEqual([401, 'missing_api_key']);
  });

  it('serves its readiness and its metrics to operators', async () => {
    const operations = fixture.operations.get(gateway)!;
    const ready = await call(operations, '/health/ready');
    expect(ready.body).toMatchObject({ status: 'ready', checks: { redis: 'ok' } });
    const metrics = await fetch(`${operations}/metrics`);
    expect(await metrics.text()).toContain('gateway_limits_by_redis 1');
  });

  it('passes every request outside /v1 to Nest', async () => {
    expect((await call(gateway, '/health/live')).body).toEqual({ status: 'live' });
    expect((await call(gateway, '/v2/status')).body.code).toBe('route_not_found');
  });
});
