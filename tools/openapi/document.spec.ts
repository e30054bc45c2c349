import { ENDPOINTS } from '@plimsoll/access';
import { PROBLEMS, WEBHOOK_EVENT_TYPES } from '@plimsoll/contracts';
import { importDocumentedEndpoints } from '@plimsoll/testing';
import { buildOpenApiDocument } from './document';

interface Described {
  'x-tier': string;
  'x-scope': string | null;
  'x-error-codes': string[];
  parameters: { $ref?: string; name?: string }[];
  requestBody?: { required: boolean; content: { 'application/json': { schema: { $ref: string } } } };
  responses: Record<string, { $ref?: string; headers?: object }>;
}
interface Document {
  paths: Record<string, Record<string, Described>>;
  webhooks: Record<string, object>;
  components: {
    schemas: Record<string, { additionalProperties?: boolean }>;
    responses: Record<string, object>;
  };
}

importDocumentedEndpoints('*');
const document = buildOpenApiDocument('1.2.3') as unknown as Document;
const at = (method: string, path: string): Described => {
  const described = document.paths[path]?.[method];
  if (!described) throw new Error(`${method} ${path} is not in the document`);
  return described;
};

describe('buildOpenApiDocument', () => {
  it('has every row with its tier and scope', () => {
    for (const { method, path, tier, scope } of ENDPOINTS) {
      const described = at(method.toLowerCase(), path.replace(/:(\w+)/g, '{$1}'));
      expect(described).toMatchObject({ 'x-tier': tier, 'x-scope': scope });
    }
  });

  it('rejects a row without an operation', () => {
    expect(() => buildOpenApiDocument('1.2.3', {})).toThrow('has no operation');
  });

  it('names every error that has several codes', () => {
    const unnamed = JSON.stringify(document.paths) + JSON.stringify(document.components.responses);
    expect(unnamed).not.toContain('"oneOf"');
    expect(document.components.schemas['TooManyRequestsError']).toMatchObject({
      discriminator: { propertyName: 'code' },
    });
  });

  it('states which numbers 32 bits do not hold', () => {
    const { MonteCarloBody, ListedPosition } = document.components.schemas;
    expect(ListedPosition).toMatchObject({ properties: { netWorthUsd: { format: 'double' } } });
    expect(MonteCarloBody).toMatchObject({ properties: { seed: { format: 'int64' } } });
    expect(MonteCarloBody).not.toHaveProperty('properties.iterations.format');
  });

  it('rejects unknown fields in every body', () => {
    const { $ref } = at('post', '/v1/webhooks').requestBody!.content['application/json'].schema;
    expect($ref).toBe('#/components/schemas/CreateWebhookBody');
    expect(document.components.schemas['CreateWebhookBody']?.additionalProperties).toBe(false);
  });

  it('requires a body only where a field is required', () => {
    expect(at('post', '/v1/wallets').requestBody?.required).toBe(true);
    expect(at('post', '/v1/webhooks/{id}/test').requestBody?.required).toBe(false);
  });

  it('has a response for the status of every code of an operation, and no other', () => {
    for (const described of Object.values(document.paths).flatMap((path) => Object.values(path))) {
      const codes = described['x-error-codes'] as (keyof typeof PROBLEMS)[];
      const statuses = [...new Set(codes.map((code) => String(PROBLEMS[code].status)))];
      const errors = Object.keys(described.responses).filter((status) => Number(status) >= 400);
      expect(errors.sort()).toEqual(statuses.sort());
    }
  });

  it('describes the responses that only some operations have', () => {
    expect(at('post', '/v1/webhooks')['x-error-codes']).toEqual(
      expect.arrayContaining(['unsafe_url', 'idempotency_mismatch', 'tier_required', 'scope_required']),
    );
    expect(at('get', '/v1/status')['x-error-codes']).not.toEqual(expect.arrayContaining(['tier_required']));
  });

  it('declares ETag, If-None-Match and 304 for every GET that a service handles', () => {
    const list = at('get', '/v1/wallets');
    expect(list.parameters).toContainEqual({ $ref: '#/components/parameters/IfNoneMatch' });
    expect(list.responses['304']?.headers).toHaveProperty('ETag');
    expect(at('get', '/v1/status').responses['304']).toBeUndefined();
  });

  it('has CSV for every GET with a list of records, except records that contain lists', () => {
    interface Schema {
      $ref?: string;
      items?: Schema;
      properties?: Record<string, Schema>;
    }
    const schemas = document.components.schemas as Record<string, Schema>;
    const resolved = (schema: Schema = {}): Schema =>
      schema.$ref ? resolved(schemas[schema.$ref.split('/').at(-1)!]) : schema;
    const withoutCsv = Object.entries(document.paths).flatMap(([path, { get }]) => {
      const { content } = (get?.responses['200'] ?? {}) as { content?: Record<string, { schema: Schema }> };
      const { properties = {} } = resolved(content?.['application/json']?.schema);
      const hasList = Object.values(properties).some((each) => resolved(resolved(each).items).properties);
      return hasList && !content?.['text/csv'] ? [path] : [];
    });
    expect(withoutCsv.sort()).toEqual([
      '/account/v1/usage',
      '/account/v1/usage/recent',
      '/public/v1/status',
      '/public/v1/track-record',
      '/v1/analytics/portfolio',
      '/v1/positions/{id}',
      '/v1/positions/{id}/exit-liquidity',
      '/v1/risk/metrics',
      '/v1/risk/track-record',
      '/v1/test/market',
      '/v1/usage',
    ]);
  });

  it('requires a session on the account API where one is needed, and never a key', () => {
    expect(at('post', '/account/v1/keys/{id}/rotate')).toMatchObject({ security: [{ Session: [] }] });
    expect(at('post', '/account/v1/log-in')).toMatchObject({ security: [] });
    expect(at('post', '/account/v1/log-in')).not.toHaveProperty('x-tier');
  });

  it('requires nothing where everyone may read', () => {
    const described = at('get', '/public/v1/status');
    expect(described).toMatchObject({ security: [] });
    expect(described['x-error-codes']).toEqual(
      expect.arrayContaining(['rate_limited', 'upstream_unavailable']),
    );
    expect(described['x-error-codes']).not.toContain('foreign_origin');
  });

  it('describes the five events', () => {
    expect(Object.keys(document.webhooks)).toEqual([...WEBHOOK_EVENT_TYPES]);
  });

  it('has only references that the document resolves', () => {
    for (const [, path = ''] of JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g)) {
      const found = path
        .split('/')
        .reduce<unknown>((node, key) => (node as Record<string, unknown>)?.[key], document);
      expect([path, typeof found]).toEqual([path, 'object']);
    }
  });
});
