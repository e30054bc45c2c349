import fc from 'fast-check';
import { type Json, canonicalJson, parseCanonical } from './canonical';

const { json } = fc.letrec<{ json: Json }>((tie) => ({
  json: fc.oneof(
    { maxDepth: 4 },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger(),
    fc.string({ unit: 'grapheme' }),
    fc.array(tie('json'), { maxLength: 4 }),
    fc.dictionary(fc.string({ unit: 'grapheme' }), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

describe('canonical JSON', () => {
  it('of a value is read as the same value', () => {
    fc.assert(
      fc.property(json, (value) => {
        const text = canonicalJson(value);
        expect(canonicalJson(parseCanonical(text))).toBe(text);
        expect(JSON.parse(text)).toEqual(Object.is(value, -0) ? 0 : JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('has its names in the order of their UTF-16 units', () => {
    expect(canonicalJson({ '€': 1, '\r': 2, '\ufb33': 3, 1: 4, '😀': 5, ö: 6 })).toBe(
      '{"\\r":2,"1":4,"ö":6,"€":1,"😀":5,"\ufb33":3}',
    );
  });

  it.each([1.5, 2 ** 53, NaN])('refuses the number %d', (value) => {
    expect(() => canonicalJson(value)).toThrow(RangeError);
  });

  it.each([
    ['whitespace', '{"a": 1}', 5],
    ['whitespace', '[1]\n', 3],
    ['key_order', '{"b":1,"a":2}', 7],
    ['duplicate_key', '{"a":1,"a":1}', 7],
    ['number_form', '[1.0]', 1],
    ['number_form', '[1e2]', 1],
    ['number_form', '[-0]', 1],
    ['number_form', '[01]', 1],
    ['number_form', '[9007199254740993]', 1],
    ['string_form', '["\\u0061"]', 1],
    ['string_form', '["\\/"]', 1],
    ['string_form', '["\\ud800"]', 1],
    ['string_form', '{"\\u0061":1}', 1],
    ['not_json', '["a]', 1],
    ['not_json', '[1', 2],
    ['not_json', '[1]x', 3],
    ['not_json', '', 0],
    ['not_json', '['.repeat(20), 17],
  ])('is refused with %s: %s', (code, text, at) => {
    expect(() => parseCanonical(text)).toThrow(expect.objectContaining({ code, at }));
  });
});
