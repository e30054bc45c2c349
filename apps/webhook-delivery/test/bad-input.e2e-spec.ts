import { type ProblemBody, PROBLEM_CONTENT_TYPE, newId } from '@plimsoll/contracts';
import { encodeCursor } from '@plimsoll/service-kit';
import { DeliveryFixture, type Instance } from './delivery-fixture';

const WEBHOOKS = '/v1/webhooks';
const VALID = { url: 'https://8.8.8.8/hook', events: ['alert.created'] };
const valid = (changes: object): string => JSON.stringify({ ...VALID, ...changes });
const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;
const cursor = (...parts: (string | number)[]): string => `${WEBHOOKS}?cursor=${encodeCursor(parts)}`;

interface Row {
  path?: string;
  body?: string | Buffer;
  headers?: Record<string, string>;
  status?: number;
  /** Code, and the first named field. */
  is: string;
}

describe('bad input', () => {
  let fixture: DeliveryFixture;
  let service: Instance;

  beforeAll(async () => {
    fixture = await DeliveryFixture.create();
    service = await fixture.startInstance({}, { consumes: false });
  }, 60_000);
  afterAll(() => fixture.close());

  const inject = (method: 'GET' | 'HEAD' | 'POST' | 'DELETE', { path, body, headers }: Row) =>
    service.app.inject({
      method,
      url: path ?? WEBHOOKS,
      headers: {
        // inject() sends no empty query.
        ...fixture.headers(method, (path ?? WEBHOOKS).replace(/\?$/, ''), {}, newId('acc')),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { payload: body }),
    });
  const expectProblem = async (method: 'GET' | 'POST' | 'DELETE', row: Row): Promise<void> => {
    const response = await inject(method, row);
    const { code, errors } = response.json<ProblemBody>();
    expect([response.statusCode, [code, errors?.[0]?.field].filter(Boolean).join(' ')]).toEqual([
      row.status ?? 400,
      row.is,
    ]);
    expect(response.headers['content-type']).toContain(PROBLEM_CONTENT_TYPE);
    expect(response.headers['x-request-id']).toBeDefined();
  };

  describe('POST /v1/webhooks', () => {
    it.each<[string, Row]>([
      ['no body', { is: 'invalid_request url' }],
      ['an empty body in JSON', { body: '', is: 'invalid_request url' }],
      ['null', { body: 'null', is: 'invalid_request' }],
      ['an array', { body: '[]', is: 'invalid_request' }],
      ['a string', { body: '"x"', is: 'invalid_request' }],
      ['a number', { body: '1', is: 'invalid_request' }],
      ['broken JSON', { body: '{"url":', is: 'invalid_json' }],
      ['NaN', { body: '{"url":NaN}', is: 'invalid_json' }],
      ['bytes that are no text', { body: Buffer.from([0xff, 0xfe, 0x00]), is: 'invalid_request' }],
      [
        'another type',
        { body: '<a/>', headers: { 'content-type': 'text/xml' }, status: 415, is: 'unsupported_media_type' },
      ],
      [
        'a form',
        {
          body: 'url=x',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          status: 415,
          is: 'unsupported_media_type',
        },
      ],
      [
        'an empty type',
        { body: '{}', headers: { 'content-type': '' }, status: 415, is: 'unsupported_media_type' },
      ],
      [
        'a type that is none',
        { body: '{}', headers: { 'content-type': 'json' }, status: 415, is: 'unsupported_media_type' },
      ],
      ['more than 1 MiB', { body: valid({ url: 'x'.repeat(1_048_577) }), status: 413, is: 'body_too_large' }],
      ['an unknown field', { body: valid({ retries: 3 }), is: 'invalid_request retries' }],
      ['__proto__', { body: '{"__proto__":{"url":"x"}}', is: 'invalid_request __proto__' }],
      ['constructor', { body: valid({ constructor: { prototype: {} } }), is: 'invalid_request constructor' }],
      [
        'names of Object',
        { body: valid({ toString: 1, hasOwnProperty: 1 }), is: 'invalid_request toString' },
      ],
      ['deep nesting', { body: `{"url":${nested(200_000)}}`, is: 'invalid_request' }],
      ['far too many values', { body: valid({ events: Array(20_000).fill(0) }), is: 'invalid_request' }],
      ['a number past all doubles', { body: '{"url":1e999}', is: 'invalid_request url' }],
      ['U+0000 in a text', { body: valid({ url: 'https://8.8.8.8/\0' }), is: 'invalid_request url' }],
      ['a number for a text', { body: valid({ url: 7 }), is: 'invalid_request url' }],
      ['null for a text', { body: valid({ url: null }), is: 'invalid_request url' }],
      ['an object for a text', { body: valid({ url: { length: 3 } }), is: 'invalid_request url' }],
      ['a text for a list', { body: valid({ events: 'alert.created' }), is: 'invalid_request events' }],
      [
        'an object for a list',
        { body: valid({ events: { 0: 'alert.created', length: 1 } }), is: 'invalid_request events' },
      ],
      ['lists in a list', { body: valid({ events: [['alert.created']] }), is: 'invalid_request events[0]' }],
      [
        'the same twice in a list',
        { body: valid({ events: ['test.ping', 'test.ping'] }), is: 'invalid_request events' },
      ],
      [
        'a text that is too long',
        { body: valid({ url: `https://8.8.8.8/${'x'.repeat(2_048)}` }), is: 'invalid_request url' },
      ],
      ['a lone surrogate as host', { body: valid({ url: 'https://\ud800/' }), is: 'invalid_request url' }],
      ['an empty text', { body: valid({ url: '' }), is: 'unsafe_url url' }],
    ])('400, 413 or 415 for %s', (_, row) => expectProblem('POST', row));

    it('keeps the response to a body with many errors short', async () => {
      const many = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`f${index}`, index]));
      for (const body of [valid(many), valid({ ['x'.repeat(100_000)]: 1 })])
        expect((await inject('POST', { body, is: '' })).body.length).toBeLessThan(10_000);
    });

    it('accepts JSON of every usual type', async () => {
      for (const type of ['application/json', 'application/json; charset=utf-8', 'Application/JSON']) {
        const response = await inject('POST', { body: valid({}), headers: { 'content-type': type }, is: '' });
        expect(response.statusCode).toBe(201);
      }
    });
  });

  describe('GET /v1/webhooks', () => {
    it.each<[string, Row]>([
      ['an unknown parameter', { path: `${WEBHOOKS}?utm=1&utm=2`, is: 'invalid_request utm' }],
      ['an inherited name', { path: `${WEBHOOKS}?__proto__=1`, is: 'invalid_request __proto__' }],
      ['a name that is not UTF-8', { path: `${WEBHOOKS}?%ff=%00`, is: 'invalid_request %ff' }],
      ['a limit given twice', { path: `${WEBHOOKS}?limit=1&limit=2`, is: 'invalid_request limit' }],
      ['a cursor given twice', { path: `${WEBHOOKS}?cursor=a&cursor=b`, is: 'invalid_request cursor' }],
      ['no number', { path: `${WEBHOOKS}?limit=ten`, is: 'invalid_request limit' }],
      ['an empty limit', { path: `${WEBHOOKS}?limit=`, is: 'invalid_request limit' }],
      ['0', { path: `${WEBHOOKS}?limit=0`, is: 'invalid_request limit' }],
      ['201', { path: `${WEBHOOKS}?limit=201`, is: 'invalid_request limit' }],
      ['a fraction', { path: `${WEBHOOKS}?limit=1.5`, is: 'invalid_request limit' }],
      ['NaN', { path: `${WEBHOOKS}?limit=NaN`, is: 'invalid_request limit' }],
      ['Infinity', { path: `${WEBHOOKS}?limit=Infinity`, is: 'invalid_request limit' }],
      ['a cursor of nothing', { path: `${WEBHOOKS}?cursor=abc`, is: 'invalid_request cursor' }],
      ['a cursor of another list', { path: cursor(1, 'wh_1'), is: 'invalid_request cursor' }],
      ['U+0000 in the cursor', { path: `${WEBHOOKS}?cursor=a%00`, is: 'invalid_request cursor' }],
      ['U+0000 behind the cursor', { path: cursor('wh_\0'), is: 'invalid_request cursor' }],
      [
        'a cursor that is too long',
        { path: `${WEBHOOKS}?cursor=${'a'.repeat(513)}`, is: 'invalid_request cursor' },
      ],
    ])('400 for %s', (_, row) => expectProblem('GET', row));

    it.each(['?', '?limit=5&&', '?limit=1%30'])('200 for %s', async (query) => {
      expect((await inject('GET', { path: `${WEBHOOKS}${query}`, is: '' })).statusCode).toBe(200);
    });

    it('responds to HEAD as to GET', async () => {
      const response = await inject('HEAD', { is: '' });
      expect([response.statusCode, response.body]).toEqual([200, '']);
      expect((await inject('HEAD', { path: `${WEBHOOKS}?limit=0`, is: '' })).statusCode).toBe(400);
    });
  });

  describe('a path', () => {
    it.each<['DELETE' | 'POST', string, number, string]>([
      ['DELETE', '/v1/webhooks/wh_%00', 400, 'invalid_request id'],
      ['POST', '/v1/webhooks/%00/test', 400, 'invalid_request id'],
      ['DELETE', '/v1/webhooks/%zz', 400, 'invalid_request'],
      ['DELETE', '/v1/webhooks/%ff', 400, 'invalid_request'],
      ['DELETE', `/v1/webhooks/${'x'.repeat(101)}`, 404, 'not_found'],
      ['DELETE', '/v1/webhooks/..%2f..%2fhealth', 404, 'not_found'],
      ['DELETE', '/v1/webhooks/constructor', 404, 'not_found'],
      ['DELETE', '/v1/webhooks/%F0%9F%92%A9', 404, 'not_found'],
      ['DELETE', '/v1/webhooks/', 404, 'route_not_found'],
    ])('%s %s is %i', (method, path, status, is) => expectProblem(method, { path, status, is }));
  });

  describe('POST /v1/webhooks/:id/test', () => {
    it.each<[string, Row]>([
      ['no such record', { status: 404, is: 'not_found' }],
      ['an empty body', { body: '', status: 404, is: 'not_found' }],
      ['a type that is none', { body: '{"event":"nope"}', is: 'invalid_request event' }],
      ['a list for the event', { body: '{"event":["test.ping"]}', is: 'invalid_request event' }],
      ['an array', { body: '[]', is: 'invalid_request' }],
    ])('%s', (_, row) => expectProblem('POST', { path: `${WEBHOOKS}/wh_1/test`, ...row }));
  });
});
