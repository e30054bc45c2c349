import { decodeCursor, encodeCursor, idOfCursor, pageOf } from './cursor';

describe('cursors', () => {
  it('return the values that they were made from', () => {
    expect(decodeCursor(encodeCursor([1.5, 'pos_1']), ['number', 'string'])).toEqual([1.5, 'pos_1']);
    expect(decodeCursor(undefined, ['string'])).toBeNull();
  });

  const refused = expect.objectContaining({ code: 'invalid_request' });

  it.each([
    '!!',
    'e30',
    encodeCursor([1]),
    encodeCursor(['a', 'b']),
    encodeCursor([1, 'a\0']),
    Buffer.from('[1e999,"a"]').toString('base64url'),
    `${encodeCursor([1, 'a'])}!`,
  ])('reject %s as invalid_request', (cursor) => {
    expect(() => decodeCursor(cursor, ['number', 'string'])).toThrow(refused);
  });

  it('accept only integers that a number states exactly', () => {
    expect(decodeCursor(encodeCursor([-7]), ['integer'])).toEqual([-7]);
    for (const each of [1.5, 2 ** 53, 1e300])
      expect(() => decodeCursor(encodeCursor([each]), ['integer'])).toThrow(refused);
  });

  it('accept only times of the years 1970 to 9999', () => {
    const lastMs = Date.parse('9999-12-31T23:59:59.999Z');
    expect(decodeCursor(encodeCursor([lastMs]), ['time'])).toEqual([lastMs]);
    for (const timeMs of [lastMs + 1, -1, 1.5, Number.MAX_VALUE, 8.64e15])
      expect(() => decodeCursor(encodeCursor([timeMs]), ['time'])).toThrow(refused);
  });
});

describe('pages', () => {
  const page = (ids: string[]): ReturnType<typeof pageOf> => pageOf(ids, 2, (id) => [id]);

  it('have a cursor to the item after the last one while more items follow', () => {
    const { items, nextCursor } = page(['c', 'b', 'a']);
    expect(items).toEqual(['c', 'b']);
    expect(idOfCursor(nextCursor ?? undefined)).toBe('b');
  });

  it('have no cursor when no item follows', () => {
    expect(page(['c', 'b'])).toEqual({ items: ['c', 'b'], nextCursor: null });
    expect(page([])).toEqual({ items: [], nextCursor: null });
    expect(idOfCursor(undefined)).toBeNull();
  });
});
