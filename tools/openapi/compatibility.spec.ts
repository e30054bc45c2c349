import { incompatibilities } from './compatibility';
import type { Json } from './components';

interface Api {
  tier?: string;
  scope?: string | null;
  query?: Record<string, object>;
  required?: string[];
  body?: object;
  response?: object;
  schemas?: object;
}

const documentOf = ({
  tier = 'pro',
  scope = null,
  query = {},
  required = [],
  body,
  response,
  schemas = {},
}: Api): Json => ({
  components: { schemas },
  paths: {
    '/v1/things': {
      post: {
        'x-tier': tier,
        'x-scope': scope,
        parameters: Object.entries(query).map(([name, schema]) => ({
          name,
          in: 'query',
          required: required.includes(name),
          schema,
        })),
        ...(body && { requestBody: { required: true, content: { 'application/json': { schema: body } } } }),
        responses: { '200': response ? { content: { 'application/json': { schema: response } } } : {} },
      },
    },
  },
});
const object = (properties: object, required: string[] = []): object => ({
  type: 'object',
  properties,
  required,
});
const text = { type: 'string' };
const words = (...list: string[]): object => ({ type: 'string', enum: list });
const between = (before: Api, after: Api): string[] =>
  incompatibilities(documentOf(before), documentOf(after));

describe('incompatibilities', () => {
  it.each<[string, Api, Api, string]>([
    [
      'a parameter that was removed',
      { query: { a: text } },
      {},
      'POST /v1/things: the parameter query a was removed',
    ],
    [
      'a new required parameter',
      {},
      { query: { a: text }, required: ['a'] },
      'POST /v1/things: the new parameter query a is required',
    ],
    [
      'a required parameter',
      { query: { a: text } },
      { query: { a: text }, required: ['a'] },
      'POST /v1/things: the parameter query a is now required',
    ],
    [
      'a word that was removed',
      { query: { a: words('x', 'y') } },
      { query: { a: words('x') } },
      'POST /v1/things ?query a: the word y was removed',
    ],
    [
      'another type',
      { query: { a: text } },
      { query: { a: { type: 'integer' } } },
      'POST /v1/things ?query a: was string, is integer',
    ],
    [
      'a required body field',
      { body: object({ a: text }) },
      { body: object({ a: text }, ['a']) },
      'POST /v1/things body.a is now required',
    ],
    [
      'a body field that was removed',
      { body: object({ a: text }) },
      { body: object({}) },
      'POST /v1/things body.a was removed',
    ],
    [
      'a response field that was removed',
      { response: object({ a: text }) },
      { response: object({}) },
      'POST /v1/things 200.a was removed',
    ],
    [
      'a response field that may be absent',
      { response: object({ a: text }, ['a']) },
      { response: object({ a: text }) },
      'POST /v1/things 200.a may now be absent',
    ],
    [
      'a response field that may be null',
      { response: object({ a: text }) },
      { response: object({ a: { type: ['string', 'null'] } }) },
      'POST /v1/things 200.a: was string, is string or null',
    ],
    ['a higher tier', {}, { tier: 'business' }, 'POST /v1/things: the tier was pro, is business'],
    ['a new scope', {}, { scope: 'alerts:read' }, 'POST /v1/things: the scope was null, is alerts:read'],
  ])('names %s', (_, before, after, expected) => {
    expect(between(before, after)).toEqual([expected]);
  });

  it('names an operation that was removed', () => {
    expect(incompatibilities(documentOf({}), { paths: {} })).toEqual(['POST /v1/things was removed']);
  });

  it.each<[string, Api, Api]>([
    ['new optional input', { body: object({}) }, { body: object({ a: text }), query: { b: text } }],
    ['a new response field', { response: object({}) }, { response: object({ a: text }, ['a']) }],
    ['a new word of a request', { query: { a: words('x') } }, { query: { a: words('x', 'y') } }],
    ['a lower tier', { tier: 'business' }, { tier: 'pro' }],
    [
      'an integer where a number was',
      { response: object({ a: { type: 'number' } }) },
      { response: object({ a: { type: 'integer' } }) },
    ],
    [
      'a name for a part',
      { response: object({ a: object({ b: text }, ['b']) }) },
      {
        response: object({ a: { $ref: '#/components/schemas/Part' } }),
        schemas: { Part: object({ b: text }, ['b']) },
      },
    ],
    [
      'a name for words that may be null',
      { response: object({ a: { type: ['string', 'null'], enum: ['x', null] } }) },
      {
        response: object({ a: { anyOf: [{ $ref: '#/components/schemas/Word' }, { type: 'null' }] } }),
        schemas: { Word: words('x') },
      },
    ],
  ])('accepts %s', (_, before, after) => {
    expect(between(before, after)).toEqual([]);
  });
});
