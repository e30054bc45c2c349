import { Body, Controller, Get, Module, Patch, Post, Query } from '@nestjs/common';
import type { NestFastifyApplication } from '@nestjs/platform-fastify';
import {
  IDENTITY_HEADER,
  type Identity,
  PageQuery,
  RespondsWith,
  WalletGroup,
  WatchWalletBody,
  notFound,
} from '@plimsoll/contracts';
import { identityHeaders, testIdentityKeys } from '@plimsoll/testing';
import { ServiceConfig } from './config/service.config';
import { currentCorrelation } from './correlation-context';
import { createService } from './create-service';
import { Health } from './health/health';
import { OperationsServer } from './operations/operations-server';
import { CurrentIdentity } from './identity/identity.guard';

@Controller('v1')
class SampleController {
  @Get('whoami')
  whoami(@CurrentIdentity() identity: Identity) {
    return { accountId: identity.accountId, ...currentCorrelation() };
  }

  @Get('page')
  page(@Query() query: PageQuery) {
    return query;
  }

  @Get('group')
  @RespondsWith(WalletGroup)
  group(@Query() _page: PageQuery) {
    return { id: 'wgr_1', name: 'Desk', walletCount: 2 };
  }

  @Get('missing')
  missing(): never {
    throw notFound('sample');
  }

  @Get('broken')
  broken(): never {
    throw new Error('password=hunter2');
  }

  @Post('wallets')
  watch(@Body() body: WatchWalletBody) {
    return body;
  }

  @Get('samples/:id')
  find(): object {
    return {};
  }

  @Patch('samples/:id')
  change(): object {
    return {};
  }

  @Post('positions/batch')
  batch() {
    return { ok: true };
  }

  @Post('simulate/what-if')
  whatIf() {
    return { ok: true };
  }

  @Post('nothing')
  nothing() {
    return { ok: true };
  }
}

@Module({ controllers: [SampleController] })
class SampleModule {}

const config = Object.assign(new ServiceConfig(), {
  LOG_LEVEL: 'silent',
  IDENTITY_KEYS_FOLDER: testIdentityKeys(),
});
const signed = (method: string, path: string, over: Partial<Identity> = {}) =>
  identityHeaders(
    config.IDENTITY_KEYS_FOLDER,
    { service: ServiceConfig.service, method, path },
    'acc_1',
    over,
  );

describe('a service made by createService', () => {
  let app: NestFastifyApplication;

  beforeAll(async () => {
    app = await createService(SampleModule, config);
    await app.init();
  });
  afterAll(() => app.close());

  const call = async (
    method: 'GET' | 'POST',
    url: string,
    options: { body?: string; headers?: Record<string, string> } = {},
  ) => {
    const json = options.body === undefined ? {} : { 'content-type': 'application/json' };
    const headers = { ...signed(method, url), ...json, ...options.headers };
    const response = await app.inject({
      method,
      url,
      headers,
      ...(options.body !== undefined && { payload: options.body }),
    });
    return {
      status: response.statusCode,
      headers: response.headers,
      body: JSON.parse(response.body) as Record<string, unknown>,
    };
  };

  it('responds with 401 without the signed identity', async () => {
    const response = await call('GET', '/v1/whoami', { headers: { [IDENTITY_HEADER]: 'forged' } });
    expect(response).toMatchObject({
      status: 401,
      body: { code: 'missing_api_key', instance: '/v1/whoami' },
    });
    expect(response.headers['content-type']).toContain('application/problem+json');
  });

  it('checks tier and scope of an endpoint again, from the signed identity only', async () => {
    class PositionsLike extends ServiceConfig {
      static override readonly service = 'positions';
    }
    const positions = await createService(SampleModule, Object.assign(new PositionsLike(), config));
    await positions.init();
    const codeOf = async (url: string, over: Partial<Identity>): Promise<unknown> => {
      const request = { service: PositionsLike.service, method: 'POST', path: url };
      const headers = {
        ...identityHeaders(config.IDENTITY_KEYS_FOLDER, request, 'acc_1', over),
        'x-service-tier': 'enterprise',
        'content-type': 'application/json',
      };
      const response = await positions.inject({ method: 'POST', url, headers, payload: '{"address":"0x1"}' });
      return [response.statusCode, response.json<{ code?: string }>().code];
    };
    expect(await codeOf('/v1/wallets', { tier: 'open', scopes: ['wallets:write'] })).toEqual([
      201,
      undefined,
    ]);
    expect(await codeOf('/v1/wallets', { scopes: ['alerts:read'] })).toEqual([403, 'scope_required']);
    expect(await codeOf('/v1/positions/batch', { tier: 'pro' })).toEqual([403, 'tier_required']);
    // The gateway sends no request that is not in the table, or to a service of another row.
    expect(await codeOf('/v1/nothing', {})).toEqual([404, 'route_not_found']);
    expect(await codeOf('/v1/simulate/what-if', {})).toEqual([404, 'route_not_found']);
    await positions.close();
  });

  it('reads the caller and keeps the request id and the trace', async () => {
    const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01';
    const response = await call('GET', '/v1/whoami', { headers: { 'x-request-id': 'abc-1', traceparent } });
    expect(response).toMatchObject({ status: 200, body: { accountId: 'acc_1', requestId: 'abc-1' } });
    expect(response.headers['x-request-id']).toBe('abc-1');
    expect(String(response.body['traceparent']).slice(0, 35)).toBe(traceparent.slice(0, 35));
  });

  it('replaces a malformed request id', async () => {
    const response = await call('GET', '/v1/whoami', { headers: { 'x-request-id': 'a b' } });
    expect(response.headers['x-request-id']).toMatch(/^req_/);
  });

  it('responds with 400 and names the unknown field of a body', async () => {
    const response = await call('POST', '/v1/wallets', { body: '{"address":"0x1","adress":"0x2"}' });
    expect(response).toMatchObject({
      status: 400,
      body: { code: 'invalid_request', errors: [{ field: 'adress', code: 'unknown_field' }] },
    });
  });

  it('responds with 400 when the body is missing or not an object', async () => {
    expect((await call('POST', '/v1/wallets')).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'address' }],
    });
    expect((await call('POST', '/v1/wallets', { body: '[]' })).body).toMatchObject({
      code: 'invalid_request',
    });
  });

  it('responds with 400 for a query parameter out of range or unknown', async () => {
    expect((await call('GET', '/v1/page?limit=201')).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'limit', code: 'max' }],
    });
    expect((await call('GET', '/v1/page?limit=20&lmit=1')).body).toMatchObject({
      code: 'invalid_request',
      errors: [{ field: 'lmit', code: 'unknown_parameter', suggestion: 'limit' }],
    });
    expect((await call('GET', '/v1/page?limit=20')).body).toEqual({ limit: 20 });
  });

  it('responds with the selected fields, and with 400 for every unknown one', async () => {
    expect((await call('GET', '/v1/group?fields=walletCount,id,createdAt,id')).body).toEqual({
      walletCount: 2,
      id: 'wgr_1',
    });
    const unknown = (field: string, suggestion?: string) => ({
      field: 'fields',
      code: 'unknown_field',
      message: expect.stringContaining(field) as string,
      ...(suggestion && { suggestion }),
    });
    const response = await call('GET', '/v1/group?fields=nmae,id,debt');
    expect(response).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
    expect(response.body['errors']).toEqual([unknown('nmae', 'name'), unknown('debt')]);
    for (const fields of ['', ',', 'id,'])
      expect((await call('GET', `/v1/group?fields=${fields}`)).status).toBe(400);
    expect((await call('GET', '/v1/group?fields=id&fields=name')).body).toMatchObject({
      errors: [{ field: 'fields', code: 'is_string' }],
    });
    expect((await call('GET', '/v1/whoami?fields=id')).body).toMatchObject({
      errors: [{ field: 'fields', code: 'unknown_parameter' }],
    });
  });

  it('responds with 400 for any query of an endpoint without parameters, after its guards', async () => {
    const errors = [{ field: 'utm', code: 'unknown_parameter' }];
    expect((await call('GET', '/v1/whoami?utm=1')).body).toMatchObject({ code: 'invalid_request', errors });
    expect((await call('POST', '/v1/wallets?utm=1', { body: '{}' })).body).toMatchObject({ errors });
    expect((await app.inject({ method: 'GET', url: '/v1/whoami?utm=1' })).statusCode).toBe(401);
    expect((await app.inject({ method: 'GET', url: '/health/live?utm=1' })).statusCode).toBe(200);
  });

  it('responds with 400 for broken JSON, 413 above 1 MiB, 415 for another type', async () => {
    expect(await call('POST', '/v1/wallets', { body: '{' })).toMatchObject({
      status: 400,
      body: { code: 'invalid_json' },
    });
    expect(await call('POST', '/v1/wallets', { body: `"${'x'.repeat(1_048_576)}"` })).toMatchObject({
      status: 413,
      body: { code: 'body_too_large' },
    });
    const xml = { body: '<a/>', headers: { 'content-type': 'text/xml' } };
    expect(await call('POST', '/v1/wallets', xml)).toMatchObject({
      status: 415,
      body: { code: 'unsupported_media_type' },
    });
  });

  it.each(['br', 'gzip', 'gzip, identity', 'x'])(
    'responds with 415 for plain JSON that is announced as %s',
    async (encoding) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': encoding };
      const response = await call('POST', '/v1/wallets', { body: '{}', headers });
      expect(response).toMatchObject({ status: 415, body: { code: 'unsupported_media_type' } });
      expect(response.body).toMatchObject({ detail: expect.stringContaining('without Content-Encoding') });
    },
  );

  it('accepts the content coding identity, which is none', async () => {
    const headers = { 'content-type': 'application/json', 'content-encoding': 'Identity' };
    expect(await call('POST', '/v1/nothing', { body: '{}', headers })).toMatchObject({ status: 201 });
  });

  it('accepts an empty body with content type application/json', async () => {
    expect(await call('POST', '/v1/nothing', { body: '' })).toMatchObject({
      status: 201,
      body: { ok: true },
    });
  });

  it('responds with different 404 codes for a record and for a route', async () => {
    expect(await call('GET', '/v1/missing')).toMatchObject({ status: 404, body: { code: 'not_found' } });
    expect(await call('GET', '/v1/nope')).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
  });

  it('responds with 405 and Allow before it reads the body', async () => {
    const headers = { [IDENTITY_HEADER]: 'forged', 'content-type': 'text/xml' };
    const response = await app.inject({ method: 'PUT', url: '/v1/wallets?x=1', headers, payload: '<' });
    expect(response.statusCode).toBe(405);
    expect(response.headers).toMatchObject({
      allow: 'POST',
      'content-type': expect.stringContaining('problem+json'),
    });
    expect(response.json()).toMatchObject({ code: 'method_not_allowed', instance: '/v1/wallets' });
    const other = await app.inject({ method: 'DELETE', url: '/v1/samples/1' });
    expect([other.statusCode, other.headers.allow]).toEqual([405, 'GET, HEAD, PATCH']);
    expect((await app.inject({ method: 'DELETE', url: '/v1/samples' })).statusCode).toBe(404);
  });

  it('responds with 500 without internal details', async () => {
    const response = await call('GET', '/v1/broken');
    expect(response).toMatchObject({ status: 500, body: { code: 'internal' } });
    expect(JSON.stringify(response.body)).not.toContain('hunter2');
  });

  it('is live, is ready while its checks pass, and names the failing check', async () => {
    expect((await call('GET', '/health/live')).status).toBe(200);
    const { origin } = app.get(OperationsServer);
    const ready = async (): Promise<[number, unknown]> => {
      const response = await fetch(`${origin}/health/ready`);
      return [response.status, await response.json()];
    };
    expect(await ready()).toEqual([200, expect.objectContaining({ status: 'ready' })]);
    expect(await call('GET', '/inner/readiness')).toMatchObject({ status: 200, body: { status: 'ready' } });
    app.get(Health).register('sample', () => Promise.reject(new Error('gone')));
    const checks = expect.objectContaining({ sample: 'gone' }) as object;
    expect(await ready()).toEqual([503, { status: 'not_ready', checks }]);
    expect(await call('GET', '/inner/readiness')).toEqual(
      expect.objectContaining({ status: 503, body: { status: 'not_ready' } }),
    );
  });

  it('serves metrics and checks on the port for operations only, on loopback', async () => {
    const { origin } = app.get(OperationsServer);
    expect(new URL(origin).hostname).toBe('127.0.0.1');
    const metrics = await fetch(`${origin}/metrics`);
    expect(await metrics.text()).toContain('http_request_duration_seconds_bucket');
    expect((await fetch(`${origin}/health/live`)).status).toBe(200);
    const alerts = async (): Promise<[number, unknown]> => {
      const response = await fetch(`${origin}/operator-alerts`);
      return [response.status, await response.json()];
    };
    expect(await alerts()).toEqual([200, { alerts: [] }]);
    const alert = {
      kind: 'sample',
      subject: 'one',
      detail: 'found',
      remedy: 'do this',
      openedAt: new Date(0),
    };
    app.get(OperationsServer).serve({ listOpen: () => Promise.resolve([alert]) });
    expect(await alerts()).toEqual([200, { alerts: [{ ...alert, openedAt: '1970-01-01T00:00:00.000Z' }] }]);
    app.get(OperationsServer).serve({ listOpen: () => Promise.reject(new Error('gone')) });
    expect(await alerts()).toEqual([503, { reason: 'the alerts cannot be read: gone' }]);
    expect((await fetch(`${origin}/v1/samples`)).status).toBe(404);
    expect((await fetch(`${origin}/metrics`, { method: 'POST' })).status).toBe(404);
    for (const path of ['/metrics', '/health/ready', '/health']) {
      expect(await call('GET', path)).toMatchObject({ status: 404, body: { code: 'route_not_found' } });
    }
    expect((await app.inject({ method: 'GET', url: '/inner/readiness' })).statusCode).toBe(401);
  });
});
