import fc from 'fast-check';
import { InboundRate } from './inbound-rate';

describe('InboundRate', () => {
  it('admits its number at the same time, and as many a second later', () => {
    const rate = new InboundRate(3);
    const at = (nowMs: number, count: number) => Array.from({ length: count }, () => rate.admits(nowMs));
    expect(at(0, 4)).toEqual([true, true, true, false]);
    expect(at(999, 1)).toEqual([false]);
    expect(at(1_000, 4)).toEqual([true, true, true, false]);
  });

  it('never admits more than its number in any second, and refuses only at the limit', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 12 }),
        fc.array(fc.integer({ min: 0, max: 400 })),
        (most, waits) => {
          const rate = new InboundRate(most);
          const admitted: number[] = [];
          let nowMs = 0;
          for (const wait of waits) {
            nowMs += wait;
            const recent = admitted.filter((time) => nowMs - time < 1_000).length;
            const isAdmitted = rate.admits(nowMs);
            expect(isAdmitted).toBe(recent < most);
            if (isAdmitted) admitted.push(nowMs);
          }
        },
      ),
    );
  });
});
