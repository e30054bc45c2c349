import fc from 'fast-check';
import { fraxlendFigures } from './math';

const WAD = 10n ** 18n;
const amount = fc.bigInt({ min: 1n, max: 10n ** 30n });

describe('fraxlendFigures', () => {
  it('is below 1 exactly when the LTV of five digits, rounded down, is above the maximum', () => {
    fc.assert(
      fc.property(
        amount,
        amount,
        amount,
        fc.bigInt({ min: 1n, max: 100_000n }),
        (collateral, debt, rate, max) => {
          const ltv = (((debt * rate) / WAD) * 100_000n) / collateral;
          expect(fraxlendFigures({ collateral, debt }, rate, max).healthFactor! < WAD).toBe(ltv > max);
        },
      ),
    );
  });

  it('is 1 for an exact factor slightly below 1 that the pair rounds to its maximum', () => {
    const position = { collateral: 10n ** 18n, debt: 1_500_014n * 10n ** 15n };
    expect(fraxlendFigures(position, WAD / 2_000n, 75_000n).healthFactor).toBe(WAD);
    expect(
      fraxlendFigures({ ...position, debt: 1_500_020n * 10n ** 15n }, WAD / 2_000n, 75_000n).healthFactor,
    ).toBe(999_986_666_844_442_074n);
  });

  it('is 0 without collateral, and null where the pair liquidates no debt', () => {
    expect(fraxlendFigures({ collateral: 0n, debt: 5n }, WAD, 75_000n).healthFactor).toBe(0n);
    expect(fraxlendFigures({ collateral: 0n, debt: 5n }, WAD, 0n).healthFactor).toBeNull();
    expect(fraxlendFigures({ collateral: 1n, debt: 5n }, 0n, 75_000n).healthFactor).toBeNull();
  });
});
