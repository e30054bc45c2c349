import fc from 'fast-check';
import { Pace } from './pace';

describe('Pace', () => {
  it('lets a tenth of a second go at once after a rest, then the rate', () => {
    const pace = new Pace();
    const begun = Array.from({ length: 30 }, () => pace.take(5_000, 100)).filter((waitMs) => waitMs === 0);
    expect(begun).toHaveLength(11);
    expect(pace.take(5_000, 100)).toBe(20);
    expect(pace.take(5_010, 100)).toBe(0);
  });

  it('keeps up the rate for who waits as told, and then lets several go in a row', () => {
    const pace = new Pace();
    let nowMs = 1_000;
    const inARow: number[] = [];
    for (let begun = 0; nowMs < 11_000;) {
      const waitMs = pace.take(nowMs, 3_000);
      if (waitMs === 0) begun += 1;
      else {
        inARow.push(begun);
        begun = 0;
        // A timer comes after its time.
        nowMs += Math.ceil(waitMs) + 1;
      }
    }
    expect(inARow.reduce((sum, begun) => sum + begun, 0)).toBeGreaterThan(30_000);
    for (const begun of inARow) expect(begun).toBeGreaterThanOrEqual(30);
  });

  it('never passes the rate and one burst, whenever it is asked', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 50 }), { maxLength: 300 }), (gapsMs) => {
        const pace = new Pace();
        let nowMs = 1_000;
        let begun = 0;
        for (const gapMs of gapsMs) {
          nowMs += gapMs;
          if (pace.take(nowMs, 200) === 0) begun += 1;
        }
        expect(begun).toBeLessThanOrEqual(((nowMs - 1_000 + 100) * 200) / 1_000 + 1);
      }),
    );
  });
});
