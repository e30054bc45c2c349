import fc from 'fast-check';
import { UNVERIFIED_PER_MINUTE, UnverifiedAllowance } from './unverified-allowance';

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
