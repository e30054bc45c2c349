import { totalsOf } from './market-totals';

describe('totalsOf', () => {
  it('weights the utilisation by the borrowed amount', () => {
    const totals = totalsOf(
      [
        { suppliedUsd: 1_000, borrowedUsd: 900 },
        { suppliedUsd: 1_000, borrowedUsd: 100 },
        { suppliedUsd: 0, borrowedUsd: 0 },
      ],
      7n,
    );
    expect(totals).toMatchObject({ suppliedUsd: 2_000, borrowedUsd: 1_000, block: 7n });
    expect(totals.utilisation).toBeCloseTo(0.82, 12);
  });

  it('has no utilisation without debt', () => {
    expect(totalsOf([], 0n).utilisation).toBe(0);
  });
});
