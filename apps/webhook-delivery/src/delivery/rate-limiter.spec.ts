import fc from 'fast-check';
import { RateLimiter } from './rate-limiter';

describe('RateLimiter', () => {
  it('admits a tenth of a second of requests after a pause, then the rate', () => {
    const rateLimiter = new RateLimiter();
    const begun = Array.from({ length: 30 }, () => rateLimiter.take(5_000, 100)).filter(
      (waitMs) => waitMs === 0,
    );
    expect(begun).toHaveLength(11);
    expect(rateLimiter.take(5_000, 100)).toBe(20);
    expect(rateLimiter.take(5_010, 100)).toBe(0);
  });

  it('keeps the rate for a caller that waits as instructed, and then admits several in a row', () => {
    const rateLimiter = new RateLimiter();
    let nowMs = 1_000;
    const inARow: number[] = [];
    for (let begun = 0; nowMs < 11_000;) {
      const waitMs = rateLimiter.take(nowMs, 3_000);
      if (waitMs === 0) begun += 1;
      else {
        inARow.push(begun);
        begun = 0;
        // A timer fires late.
        nowMs += Math.ceil(waitMs) + 1;
      }
    }
    expect(inARow.reduce((sum, begun) => sum + begun, 0)).toBeGreaterThan(30_000);
    for (const begun of inARow) expect(begun).toBeGreaterThanOrEqual(30);
  });

  it('never exceeds the rate plus one burst, at any call times', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 300 }), (gapsMs) => {
        const rateLimiter = new RateLimiter();
        let nowMs = 1_000;
        let begun = 0;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          if (rateLimiter.take(nowMs, 200) === 0) begun += 1;
        }
        expect(begun).toBeLessThanOrEqual(((nowMs - 1_000 + 100) * 200) / 1_000 + 1);
      }),
    );
  });
});
