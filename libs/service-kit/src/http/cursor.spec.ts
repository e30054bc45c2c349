import { decodeCursor, encodeCursor } from './cursor';

describe('cursors', () => {
  it('give back what they were made from', () => {
    expect(decodeCursor(encodeCursor([1.5, 'pos_1']), ['number', 'string'])).toEqual([1.5, 'pos_1']);
    expect(decodeCursor(undefined, ['string'])).toBeNull();
  });

  it.each(['!!', 'e30', encodeCursor([1]), encodeCursor(['a', 'b'])])(
    'refuse %s as invalid_request',
    (cursor) => {
      expect(() => decodeCursor(cursor, ['number', 'string'])).toThrow(
        expect.objectContaining({ code: 'invalid_request' }),
      );
    },
  );
});
