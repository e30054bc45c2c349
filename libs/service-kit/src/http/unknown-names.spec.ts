import { nearestName, unknownField, unknownParameters } from './unknown-names';

const KNOWN = new Set(['wallet', 'protocol', 'chainId', 'limit', 'cursor', 'id']);

describe('nearestName', () => {
  it.each([
    ['walet', 'wallet'],
    ['wallets', 'wallet'],
    ['wlalet', 'wallet'],
    ['chainid', 'chainId'],
    ['chain_id', 'chainId'],
    ['chain', 'chainId'],
    ['Limit', 'limit'],
    ['ID', 'id'],
  ])('of %s is %s', (name, nearest) => expect(nearestName(name, KNOWN)).toBe(nearest));

  it.each(['severity', 'x', '', '__proto__', 'a'.repeat(5_000)])('of %s is unknown', (name) =>
    expect(nearestName(name, KNOWN)).toBeUndefined(),
  );

  it('prefers fewer edits to an earlier name', () => {
    expect(nearestName('cash', ['cache', 'cashe', 'cash'])).toBe('cash');
  });
});

describe('unknownParameters', () => {
  it('has one error for each name, with the nearest known one', () => {
    expect(unknownParameters({ limit: 1, walet: '0x', utm: '' }, KNOWN)).toEqual([
      {
        field: 'walet',
        code: 'unknown_parameter',
        message: 'walet is not a query parameter of this endpoint. Did you mean wallet?',
        suggestion: 'wallet',
      },
      {
        field: 'utm',
        code: 'unknown_parameter',
        message: 'utm is not a query parameter of this endpoint. Remove it.',
      },
    ]);
  });

  it('names at most 20, none longer than 100 characters', () => {
    const many = Object.fromEntries(Array.from({ length: 100 }, (_, i) => [`${i}${'x'.repeat(200)}`, '']));
    const errors = unknownParameters(many, KNOWN);
    expect(errors).toHaveLength(20);
    expect(Math.max(...errors.map(({ field }) => field.length))).toBe(100);
  });
});

it('a field of a body has its own code', () => {
  expect(unknownField('walet', 'filter.walet', KNOWN)).toMatchObject({
    field: 'filter.walet',
    code: 'unknown_field',
    suggestion: 'wallet',
  });
});
