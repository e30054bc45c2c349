import fc from 'fast-check';
import { healthFactorsOf } from './portfolio';

const WAD = 10n ** 18n;
const owing = (healthFactorRaw: bigint | null, debt: bigint, usdPerBaseRaw = WAD, priceDecimals = 8) => ({
  healthFactorRaw,
  totalDebtRaw: debt * 10n ** BigInt(priceDecimals),
  priceDecimals,
  usdPerBaseRaw,
});

describe('healthFactorsOf', () => {
  it('one very safe position raises only the mean', () => {
    const of = healthFactorsOf([
      owing(12n * 10n ** 17n, 90_000n),
      owing(13n * 10n ** 17n, 9_999n),
      owing(120n * WAD, 1n),
    ]);
    expect(of).toEqual({
      mean: (1225n * WAD) / 30n,
      debtWeighted: (12n * 10n ** 17n * 90_000n + 13n * 10n ** 17n * 9_999n + 120n * WAD) / 100_000n,
      median: 13n * 10n ** 17n,
      lowest: 12n * 10n ** 17n,
    });
  });

  it('weighs debts of markets in other currencies by their value in dollars', () => {
    const inEther = owing(2n * WAD, 1n, 3_000n * WAD, 18);
    const inUsd = owing(WAD, 1_000n);
    expect(healthFactorsOf([inEther, inUsd]).debtWeighted).toBe((175n * WAD) / 100n);
  });

  it('has no weighted mean if the debts have no price', () => {
    expect(healthFactorsOf([owing(2n * WAD, 1n, 0n)])).toMatchObject({
      mean: 2n * WAD,
      debtWeighted: null,
    });
  });

  it('all figures lie between the lowest and the highest, in any order of positions', () => {
    const position = fc
      .tuple(fc.option(fc.bigInt(0n, 200n * WAD)), fc.bigInt(1n, 10n ** 12n))
      .map(([factor, debt]) => owing(factor, debt));
    fc.assert(
      fc.property(fc.array(position, { minLength: 1, maxLength: 8 }), (positions) => {
        const of = healthFactorsOf(positions);
        expect(healthFactorsOf(positions.toReversed())).toEqual(of);
        const factors = positions.flatMap(({ healthFactorRaw }) => healthFactorRaw ?? []);
        if (factors.length === 0) return expect(Object.values(of)).toEqual([null, null, null, null]);
        for (const figure of Object.values(of)) {
          expect(figure).not.toBeNull();
          expect(factors.some((factor) => factor <= figure!)).toBe(true);
          expect(factors.some((factor) => factor >= figure!)).toBe(true);
        }
      }),
    );
  });
});
