import fc from 'fast-check';
import { formatJson, parseJson } from './json';

describe('JSON with exact amounts', () => {
  it('keeps every digit of an amount', () => {
    fc.assert(
      fc.property(fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }), (amountRaw) => {
        expect(parseJson(formatJson({ legs: [{ amountRaw }] }))).toEqual({ legs: [{ amountRaw }] });
      }),
    );
  });

  it('changes nothing else', () => {
    const text = '{"amount":"12","healthFactorRaw":null,"priceRaw":"1.5","Raw":"7","nested":{"xRaw":12}}';
    expect(parseJson(text)).toEqual({
      amount: '12',
      healthFactorRaw: null,
      priceRaw: '1.5',
      Raw: 7n,
      nested: { xRaw: 12 },
    });
  });
});
