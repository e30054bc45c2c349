import { entityTag, isNotModified } from './conditional-get';

describe('entityTag', () => {
  it('is weak, equal for equal bodies, and different for others', () => {
    expect(entityTag('{"a":1}')).toMatch(/^W\/"[\w-]{27}"$/);
    expect(entityTag(Buffer.from('{"a":1}'))).toBe(entityTag('{"a":1}'));
    expect(entityTag('{"a":2}')).not.toBe(entityTag('{"a":1}'));
  });
});

describe('isNotModified', () => {
  it.each([
    ['W/"a"', 'W/"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', '"a"', true],
    ['*', 'W/"a"', true],
    [' * ', 'W/"a"', true],
    ['"x", W/"a" ,"y"', 'W/"a"', true],
    ['"x,\\",W/"a"', 'W/"a"', true],
    ['"b"', 'W/"a"', false],
    ['a', 'W/"a"', false],
    ['"A"', 'W/"a"', false],
    ['', 'W/"a"', false],
    [undefined, 'W/"a"', false],
  ])('If-None-Match %p against %p is %p', (ifNoneMatch, etag, expected) => {
    expect(isNotModified(ifNoneMatch, etag)).toBe(expected);
  });
});
