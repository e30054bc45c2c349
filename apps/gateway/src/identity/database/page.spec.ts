import { newId } from '@plimsoll/contracts';
import { encodeCursor } from '@plimsoll/service-kit';
import { pageAfter } from './page';

describe('pageAfter', () => {
  const id = newId('key');

  it('reads where the previous page ended, and null for the first page', () => {
    expect(pageAfter(undefined, 'key')).toBeNull();
    expect(pageAfter(encodeCursor([1_000, id]), 'key')).toEqual({ createdAt: new Date(1_000), id });
  });

  it.each([
    ['another list', encodeCursor([1_000, newId('aud')])],
    ['no id', encodeCursor([1_000, '\0'])],
    ['no time', encodeCursor([1e300, id])],
    ['no cursor', 'x'],
  ])('rejects a cursor of %s', (_, cursor) => {
    expect(() => pageAfter(cursor, 'key')).toThrow(expect.objectContaining({ code: 'invalid_request' }));
  });
});
