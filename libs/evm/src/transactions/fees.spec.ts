import fc from 'fast-check';
import { bumpedFees, firstFees } from './fees';

const wei = fc.bigInt({ min: 0n, max: 10n ** 12n });
const CAP = 10n ** 13n;

describe('firstFees', () => {
  it('covers a base fee that doubles, up to the cap', () => {
    fc.assert(
      fc.property(wei, wei, fc.bigInt({ min: 1n, max: CAP }), (base, tip, cap) => {
        const { maxFee, priorityFee } = firstFees(base, tip, cap);
        expect(maxFee).toBeLessThanOrEqual(cap);
        expect(priorityFee).toBeLessThanOrEqual(maxFee);
        if (2n * base + tip < cap) expect(maxFee).toBeGreaterThanOrEqual(2n * base + tip);
      }),
    );
  });
});

describe('bumpedFees', () => {
  it('are at least an eighth higher, both of them, or absent', () => {
    fc.assert(
      fc.property(wei, wei, wei, (base, tip, later) => {
        const before = firstFees(base, tip, CAP);
        const bumped = bumpedFees(before, firstFees(later, tip, CAP), CAP);
        if (bumped === null) return;
        expect(bumped.maxFee * 1_000n).toBeGreaterThanOrEqual(before.maxFee * 1_125n);
        expect(bumped.priorityFee * 1_000n).toBeGreaterThanOrEqual(before.priorityFee * 1_125n);
        expect(bumped.maxFee).toBeLessThanOrEqual(CAP);
        expect(bumped.priorityFee).toBeLessThanOrEqual(bumped.maxFee);
      }),
    );
  });

  it('are absent above the cap', () => {
    const before = { maxFee: 100n, priorityFee: 10n };
    expect(bumpedFees(before, before, 112n)).toBeNull();
    expect(bumpedFees(before, before, 114n)).toEqual({ maxFee: 114n, priorityFee: 12n });
  });
});
