import { addressOf, firstValue, operationsOf } from './operations';

const limit = { name: 'limit', in: 'query' as const };
const document = {
  paths: {
    '/v1/positions/{id}': {
      parameters: [{ name: 'id', in: 'path' as const, required: true }],
      get: {
        operationId: 'getPosition',
        tags: ['Positions'],
        parameters: [
          { $ref: '#/components/parameters/limit' },
          { name: 'if-none-match', in: 'header' as const },
        ],
      },
    },
    '/account/v1/session': { get: { operationId: 'getSession' } },
    '/v1/wallets': {},
  },
  components: { parameters: { limit } },
};

describe('operationsOf', () => {
  it('has the GET requests of /v1 with the parameters of path and query', () => {
    expect(operationsOf(document)).toEqual([
      {
        id: 'getPosition',
        path: '/v1/positions/{id}',
        summary: 'getPosition',
        tag: 'Positions',
        parameters: [{ name: 'id', in: 'path', required: true }, limit],
      },
    ]);
  });
});

describe('firstValue', () => {
  const symbols = { name: 'symbols', in: 'query', required: true, schema: { example: 'ETH,USDC' } } as const;

  it('is the example of a required parameter of the query', () => {
    expect(firstValue(symbols)).toBe('ETH,USDC');
  });

  it('is empty for what may be left out, and for an id', () => {
    expect(firstValue({ ...symbols, required: false })).toBe('');
    expect(firstValue({ ...symbols, in: 'path' })).toBe('');
    expect(firstValue({ name: 'leaf', in: 'query', required: true, schema: { examples: ['ef'] } })).toBe('');
  });
});

describe('addressOf', () => {
  const [operation] = operationsOf(document);

  it('fills the path and leaves out empty parameters', () => {
    expect(addressOf(operation!, { id: 'a/b', limit: '' })).toBe('/v1/positions/a%2Fb');
    expect(addressOf(operation!, { id: 'x', limit: '5' })).toBe('/v1/positions/x?limit=5');
  });
});
