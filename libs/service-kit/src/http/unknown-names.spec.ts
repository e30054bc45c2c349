import { unknownField, unknownParameters } from './unknown-names';

const KNOWN = new Set(['wallet', 'protocol', 'chainId', 'limit', 'cursor', 'id']);

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
