import fc from 'fast-check';
import { Breaker, RateLimiter, UNVERIFIED_PER_MINUTE, UnverifiedAllowance } from './endpoint-limits';

describe('Breaker', () => {
  it('opens after ten failures in a row and closes with the first success', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 9; i += 1) breaker.record(false);
    expect(breaker.isOpen).toBe(false);
    breaker.record(false);
    expect(breaker.isOpen).toBe(true);
    breaker.record(true);
    expect(breaker).toMatchObject({ isOpen: false, isFresh: true });
  });

  it('does not add failures across a success', () => {
    const breaker = new Breaker();
    for (let i = 0; i < 100; i += 1) breaker.record(i % 5 === 0);
    expect(breaker.isOpen).toBe(false);
  });
});

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

describe('UnverifiedAllowance', () => {
  it('allows 100 attempts immediately, and the next one a minute after the first', () => {
    const allowance = new UnverifiedAllowance();
    for (let i = 0; i < UNVERIFIED_PER_MINUTE; i += 1) expect(allowance.take(1_000 + i)).toBe(0);
    expect(allowance.take(2_000)).toBe(59_000);
    expect(allowance.take(61_000)).toBe(0);
    expect(allowance.take(61_000)).toBe(1);
  });

  it('never allows more than 100 in any minute', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(2_000), { minLength: 150, maxLength: 600 }), (gaps) => {
        const allowance = new UnverifiedAllowance();
        const taken: number[] = [];
        let nowMs = 0;
        for (const gap of gaps) {
          nowMs += gap;
          if (allowance.take(nowMs) === 0) taken.push(nowMs);
        }
        for (let i = UNVERIFIED_PER_MINUTE; i < taken.length; i += 1) {
          expect((taken[i] ?? 0) - (taken[i - UNVERIFIED_PER_MINUTE] ?? 0)).toBeGreaterThanOrEqual(60_000);
        }
      }),
    );
  });
});
