import { PER_SECOND, PER_YEAR_RAY, suppliersShare, yearlyOf } from './asset-rates';

const WAD = 10n ** 18n;

describe('yearlyOf', () => {
  it('is the rate of a year, and with the interest of each second added', () => {
    const yearly = yearlyOf(5n * 10n ** 25n, PER_YEAR_RAY);
    expect(yearly?.apr).toBe(0.05);
    expect(yearly?.apy).toBeCloseTo(Math.exp(0.05) - 1, 9);
  });

  it('keeps the digits of a small rate of a second', () => {
    const yearly = yearlyOf(1_585_489_599n, PER_SECOND);
    expect(yearly?.apr).toBeCloseTo(0.05, 9);
    expect(yearly?.apy).toBeCloseTo(0.051_271_096, 8);
  });

  it('counts the periods of the protocol', () => {
    const unit = { decimals: 18, period: 'block', periodsPerYear: 2, compoundsPerYear: 2 } as const;
    expect(yearlyOf(WAD / 10n, unit)).toEqual({ apr: 0.2, apy: expect.closeTo(0.21, 12) });
  });

  it('is unknown when the protocol does not say how many periods a year has', () => {
    const unit = { decimals: 18, period: 'block', periodsPerYear: null, compoundsPerYear: null } as const;
    expect(yearlyOf(1n, unit)).toBeNull();
  });

  it('of zero is zero', () => {
    expect(yearlyOf(0n, PER_SECOND)).toEqual({ apr: 0, apy: 0 });
  });
});

describe('suppliersShare', () => {
  it('is the lent part of the borrow rate less the fee', () => {
    expect(suppliersShare(1_000n, { supplied: 100n, borrowed: 80n, fee: WAD / 10n })).toBe(720n);
  });

  it('is zero without supplies', () => {
    expect(suppliersShare(1_000n, { supplied: 0n, borrowed: 0n, fee: 0n })).toBe(0n);
  });
});
