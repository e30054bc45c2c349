import fc from 'fast-check';
import { MAX_ATTEMPTS, retryAfterMs, retryDelayMs } from './retry-schedule';

const WAITS_MS = [60_000, 300_000, 1_800_000, 7_200_000];

describe('retryDelayMs', () => {
  it('is 1 minute, 5 minutes, 30 minutes and 2 hours, then nothing', () => {
    const delays = [1, 2, 3, 4, 5].map((attempt) => retryDelayMs(attempt, null, () => 0));
    expect(delays).toEqual([...WAITS_MS, null]);
    expect(MAX_ATTEMPTS).toBe(5);
  });

  it('is extended by jitter, never shortened, by at most a tenth', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 4 }),
        fc.double({ min: 0, max: 0.999, noNaN: true }),
        (attempt, random) => {
          const delay = retryDelayMs(attempt, null, () => random)!;
          const wait = WAITS_MS[attempt - 1]!;
          expect(delay).toBeGreaterThanOrEqual(wait);
          expect(delay).toBeLessThanOrEqual(wait * 1.1);
        },
      ),
    );
  });

  it('has Retry-After as a minimum, up to a day', () => {
    expect(retryDelayMs(1, 30_000, () => 0)).toBe(60_000);
    expect(retryDelayMs(1, 3_600_000, () => 0)).toBe(3_600_000);
    expect(retryDelayMs(4, 10 ** 12, () => 0)).toBe(86_400_000);
    expect(retryDelayMs(5, 1_000, () => 0)).toBeNull();
  });
});

describe('retryAfterMs', () => {
  const now = Date.parse('2026-11-21T12:00:00.000Z');

  it('reads seconds and HTTP dates on 429 and 503', () => {
    expect(retryAfterMs(429, '120', now)).toBe(120_000);
    expect(retryAfterMs(503, ' 0 ', now)).toBe(0);
    expect(retryAfterMs(503, 'Sat, 21 Nov 2026 12:10:00 GMT', now)).toBe(600_000);
    expect(retryAfterMs(503, 'Sat, 21 Nov 2026 11:00:00 GMT', now)).toBe(0);
  });

  it.each([
    [500, '120'],
    [200, '120'],
    [429, undefined],
    [429, '-1'],
    [429, '1.5'],
    [429, 'soon'],
    [429, ''],
    [429, '9'.repeat(30)],
  ])('ignores the header on %s with %s', (status, header) => {
    expect(retryAfterMs(status, header, now)).toBeNull();
  });
});
