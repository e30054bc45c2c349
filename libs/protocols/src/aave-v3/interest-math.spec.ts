import fc from 'fast-check';
import { RAY } from '../fixed-point/math';
import {
  compoundedInterest,
  linearInterest,
  normalizedDebt,
  normalizedIncome,
  stableDebtBalance,
} from './interest-math';

const YEAR = 365n * 86_400n;
const rate = fc.bigInt({ min: 0n, max: RAY });
const seconds = fc.bigInt({ min: 0n, max: YEAR });

describe('linearInterest', () => {
  it('is 1 + rate after a year', () => {
    fc.assert(fc.property(rate, (r) => linearInterest(r, YEAR) === RAY + r));
  });
});

describe('compoundedInterest', () => {
  it('is 1 at time 0, and never below the linear factor', () => {
    fc.assert(
      fc.property(rate, seconds, (r, s) => {
        expect(compoundedInterest(r, 0n)).toBe(RAY);
        expect(compoundedInterest(r, s) >= linearInterest(r, s)).toBe(true);
      }),
    );
  });

  it('stays below e^(rate · time), whose truncated series it is', () => {
    fc.assert(
      fc.property(rate, seconds, (r, s) => {
        const exponent = (Number(r) / 1e27) * (Number(s) / Number(YEAR));
        expect(Number(compoundedInterest(r, s)) / 1e27).toBeLessThanOrEqual(Math.exp(exponent) * (1 + 1e-12));
      }),
    );
  });

  it('grows with time', () => {
    fc.assert(
      fc.property(rate, seconds, (r, s) => compoundedInterest(r, s + 1n) >= compoundedInterest(r, s)),
    );
  });
});

describe('normalizedIncome, normalizedDebt', () => {
  const reserve = {
    liquidityIndex: RAY,
    liquidityRate: RAY / 20n,
    variableBorrowIndex: RAY,
    variableBorrowRate: RAY / 10n,
    lastUpdate: 1_000n,
  };

  it('are the stored indices at the time of the update', () => {
    expect(normalizedIncome(reserve, 1_000n)).toBe(RAY);
    expect(normalizedDebt(reserve, 1_000n)).toBe(RAY);
  });

  it('grow after it', () => {
    expect(normalizedIncome(reserve, 1_000n + YEAR)).toBe(RAY + RAY / 20n);
    expect(normalizedDebt(reserve, 1_000n + YEAR) > RAY + RAY / 10n).toBe(true);
  });
});

describe('stableDebtBalance', () => {
  it('is 0 without a principal, and the principal at the moment it was taken', () => {
    expect(stableDebtBalance({ principal: 0n, rate: RAY, since: 0n }, YEAR)).toBe(0n);
    expect(stableDebtBalance({ principal: 5_000n, rate: RAY, since: 77n }, 77n)).toBe(5_000n);
  });
});
