import type { Problem } from '@plimsoll/contracts';
import { parseJsonBody } from './json-body';

function refusal(text: string): unknown {
  try {
    parseJsonBody(text);
    return null;
  } catch (error) {
    const { code, options } = error as Problem;
    return options.errors?.map((each) => `${each.field} ${each.code}`).join() ?? code;
  }
}

const nested = (levels: number): string => `${'['.repeat(levels)}${']'.repeat(levels)}`;

describe('parseJsonBody', () => {
  it.each([
    ['', undefined],
    ['{"a":[1,{"b":"c"}]}', { a: [1, { b: 'c' }] }],
    ['\ufeff{"a":null}', { a: null }],
    ['"text"', 'text'],
    ['{"a":1,"a":2}', { a: 2 }],
  ])('accepts %j', (text, value) => {
    expect(parseJsonBody(text)).toEqual(value);
  });

  it.each([
    ['{', 'invalid_json'],
    ['NaN', 'invalid_json'],
    ['{"a":Infinity}', 'invalid_json'],
    ["{'a':1}", 'invalid_json'],
    ['{"a":1,}', 'invalid_json'],
    [' ', 'invalid_json'],
    ['{"__proto__":{"isAdmin":true}}', '__proto__ unknown_field'],
    ['{"a":{"constructor":{"prototype":{}}}}', 'a.constructor unknown_field'],
    ['{"a":[{"toString":1}]}', 'a[0].toString unknown_field'],
    ['{"\\u005f_proto__":1}', '__proto__ unknown_field'],
    ['{"a":["x","b\\u0000c"]}', 'a[1] no_nul'],
    ['{"a\\u0000":1}', 'a\0 no_nul'],
    ['{"a":["\\ud83d"]}', 'a[0] well_formed'],
    ['{"a\\udc00":1}', 'a\ufffd well_formed'],
    ['{"a":1e999}', 'a not_finite'],
    [nested(33), `${'[0]'.repeat(32)} too_deep`],
    [nested(1_999), `${'[0]'.repeat(32)} too_deep`],
    [nested(100_000), ' too_large'],
    [`[${'0,'.repeat(2_000)}0]`, ' too_large'],
    [`{${'"a":0,'.repeat(2_000)}"a":0}`, ' too_large'],
  ])('rejects %.60j with %s', (text, expected) => {
    expect(refusal(text)).toBe(expected);
  });

  it('accepts 32 levels and changes no prototype', () => {
    expect(refusal(nested(32))).toBeNull();
    expect(refusal('{"__proto__":{"isAdmin":true}}')).not.toBeNull();
    expect({}).not.toHaveProperty('isAdmin');
  });

  it('does not parse 1 MiB of names or lists', () => {
    const names = JSON.stringify(
      Object.fromEntries(Array.from({ length: 70_000 }, (_, at) => [`n${at}`, 0])),
    );
    const lists = '['.repeat(1_048_576);
    const parse = jest.spyOn(JSON, 'parse');
    try {
      expect([refusal(names), refusal(lists)]).toEqual([' too_large', ' too_large']);
      expect(parse).not.toHaveBeenCalled();
      expect(refusal('{}')).toBeNull();
      expect(parse).toHaveBeenCalledTimes(1);
    } finally {
      parse.mockRestore();
    }
  });
});
