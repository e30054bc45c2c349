import fc from 'fast-check';
import { siloDebt, siloDeposit, siloHealthFactor } from './math';

const WAD = 10n ** 18n;
const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe('siloHealthFactor', () => {
  it('is below 1 exactly when the LTV, rounded up, is above the threshold', () => {
    fc.assert(
      fc.property(amount, amount, fc.bigInt({ min: 1n, max: WAD }), (collateral, debt, threshold) => {
        const ltv = (debt * WAD + collateral - 1n) / collateral;
        expect(siloHealthFactor(collateral, debt, threshold)! < WAD).toBe(ltv > threshold);
      }),
    );
  });

  it('null without debt, 0 without collateral', () => {
    expect(siloHealthFactor(5n, 0n, WAD)).toBeNull();
    expect(siloHealthFactor(0n, 5n, WAD)).toBe(0n);
  });
});

describe('siloDeposit and siloDebt', () => {
  it('round in favour of the silo: all deposits together never exceed its balance, and all debts are never less', () => {
    fc.assert(
      fc.property(amount, amount, amount, (assets, a, b) => {
        const total = { assets, shares: a + b };
        expect(siloDeposit(total, a) + siloDeposit(total, b) <= assets + 1n).toBe(true);
        expect(siloDebt(total, a) + siloDebt(total, b) >= assets).toBe(true);
      }),
    );
  });
});
