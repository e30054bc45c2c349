import fc from 'fast-check';
import { isoTime } from './iso-time';

describe('isoTime', () => {
  it('is what Date#toISOString writes', () => {
    const max = Date.UTC(2100, 0);
    fc.assert(
      fc.property(fc.integer({ min: 0, max }), (ms) => expect(isoTime(ms)).toBe(new Date(ms).toISOString())),
    );
  });

  it.each([0, 999, 86_399_999, 86_400_000, Date.UTC(2028, 1, 29, 23, 59, 59, 9)])('is right at %d', (ms) =>
    expect(isoTime(ms)).toBe(new Date(ms).toISOString()),
  );
});
