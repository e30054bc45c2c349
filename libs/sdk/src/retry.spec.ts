import fc from 'fast-check';
import { isRetried, statedWait, waitBefore } from './retry';

const attempt = fc.integer({ min: 1, max: 20 });
const random = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });

describe('waitBefore', () => {
  it('grows up to 8 s, with jitter down to half', () => {
    fc.assert(
      fc.property(attempt, random, (number, chance) => {
        const most = Math.min(8_000, 500 * 2 ** (number - 1));
        const wait = waitBefore(number, null, chance) ?? Number.NaN;
        expect(wait).toBeGreaterThanOrEqual(most / 2);
        expect(wait).toBeLessThanOrEqual(most);
      }),
    );
  });

  it('is never shorter than the wait that the server states', () => {
    fc.assert(
      fc.property(attempt, fc.nat(60_000), random, (number, stated, chance) => {
        expect(waitBefore(number, stated, chance)).toBeGreaterThanOrEqual(stated);
      }),
    );
  });

  it('does not wait for a daily limit', () => {
    expect(waitBefore(1, 60_001, 0)).toBeNull();
  });
});

describe('statedWait', () => {
  const NOW = Date.parse('2026-11-21T12:00:00.000Z');

  it.each([
    [429, { 'retry-after': '7' }, 7_000],
    [503, { 'retry-after': 'Sat, 21 Nov 2026 12:00:05 GMT' }, 5_000],
    [429, { 'x-ratelimit-reset': '2026-11-21T12:00:31.000Z' }, 31_000],
    [429, { 'retry-after': '2', 'x-ratelimit-reset': '2026-11-21T12:00:31.000Z' }, 2_000],
    [429, { 'x-ratelimit-reset': '2026-11-21T11:59:59.000Z' }, 0],
    [500, { 'x-ratelimit-reset': '2026-11-21T12:00:31.000Z' }, null],
    [429, { 'retry-after': 'soon' }, null],
    [500, {}, null],
  ])('of a %i with %j is %p ms', (status, headers, ms) => {
    expect(statedWait(status, new Headers(headers as Record<string, string>), NOW)).toBe(ms);
  });
});

describe('isRetried', () => {
  it.each([408, 429, 500, 502, 503, 504])('%i is', (status) => expect(isRetried(status)).toBe(true));
  it.each([400, 401, 403, 404, 405, 409, 413, 415, 501])('%i is not', (status) =>
    expect(isRetried(status)).toBe(false),
  );
});
