import type { RawLeg } from '@plimsoll/protocols';
import fc from 'fast-check';
import { debtAndCollateralUsd, isValued, suppliedUsd, totalsInUsd } from './totals-in-usd';

const WAD = 10n ** 18n;
/** One whole token with this value in the base currency. */
const supply = (value: bigint, priceDecimals: number, usedAsCollateral = true): RawLeg => ({
  symbol: 'WETH',
  address: `0x${'22'.repeat(20)}`,
  side: 'collateral',
  amountRaw: 10n ** 18n,
  scaledRaw: 10n ** 18n,
  decimals: 18,
  priceRaw: value,
  priceDecimals,
  oracle: `0x${'33'.repeat(20)}`,
  liquidationThresholdBps: 8_250n,
  usedAsCollateral,
});
const at = (
  collateral: bigint,
  debt: bigint,
  priceDecimals: number,
  usdPerBaseRaw: bigint,
  legs = [supply(collateral, priceDecimals)],
) => ({
  legs,
  totalCollateralRaw: collateral,
  totalDebtRaw: debt,
  priceDecimals,
  usdPerBaseRaw,
});

describe('totalsInUsd', () => {
  it('adds up positions of markets that count in dollars and in ETH', () => {
    const inUsd = at(7_500_00000000n, 5_000_00000000n, 8, WAD);
    const inEther = at(8n * WAD, 5n * WAD, 18, 3_000n * WAD);
    expect(totalsInUsd([inUsd, inEther])).toEqual({
      totalCollateralUsd: 31_500,
      totalDebtUsd: 20_000,
      totalSuppliedUsd: 31_500,
      netWorthUsd: 11_500,
    });
    expect(totalsInUsd([])).toEqual({
      totalCollateralUsd: 0,
      totalDebtUsd: 0,
      totalSuppliedUsd: 0,
      netWorthUsd: 0,
    });
  });

  it('counts supplies that are not collateral towards the net worth', () => {
    const legs = [supply(7_500_00000000n, 8), supply(76_000_00000000n, 8, false)];
    const position = at(7_500_00000000n, 5_000_00000000n, 8, WAD, legs);
    expect(totalsInUsd([position])).toEqual({
      totalCollateralUsd: 7_500,
      totalDebtUsd: 5_000,
      totalSuppliedUsd: 83_500,
      netWorthUsd: 78_500,
    });
    expect(suppliedUsd(position)).toBe(83_500);
  });

  it('counts a leg at its market price where the protocol counts it at a fixed dollar', () => {
    const dollar = { ...supply(WAD, 18), amountRaw: 1_000n * WAD, marketUsdRaw: (99n * WAD) / 100n };
    const owed: RawLeg = { ...dollar, side: 'debt', usedAsCollateral: false };
    const legs = [supply(2_500n * WAD, 18), dollar, { ...owed, amountRaw: 2_000n * WAD }];
    const position = at(3_500n * WAD, 2_000n * WAD, 18, WAD, legs);
    expect(totalsInUsd([position])).toEqual({
      totalCollateralUsd: 3_490,
      totalDebtUsd: 1_980,
      totalSuppliedUsd: 3_490,
      netWorthUsd: 1_510,
    });
    expect(debtAndCollateralUsd(position)).toEqual({ debtUsd: 1_980, collateralUsd: 3_490 });
  });

  it('is the same in any order, with amounts of any size', () => {
    const position = fc.record({
      legs: fc.array(
        fc
          .tuple(fc.bigInt({ min: 0n, max: 10n ** 40n }), fc.integer({ min: 0, max: 36 }), fc.boolean())
          .map(([value, decimals, counts]) => supply(value, decimals, counts)),
        { maxLength: 4 },
      ),
      totalCollateralRaw: fc.bigInt({ min: 0n, max: 10n ** 40n }),
      totalDebtRaw: fc.bigInt({ min: 0n, max: 10n ** 40n }),
      priceDecimals: fc.integer({ min: 0, max: 36 }),
      usdPerBaseRaw: fc.bigInt({ min: 0n, max: 10n ** 24n }),
    });
    fc.assert(
      fc.property(fc.array(position), (positions) => {
        expect(totalsInUsd(positions.toReversed())).toEqual(totalsInUsd(positions));
      }),
    );
  });
});

describe('isValued', () => {
  it('is false if a held asset or the base currency has no price', () => {
    const priced = at(5n, 1n, 0, WAD);
    expect(isValued(priced)).toBe(true);
    expect(isValued({ ...priced, usdPerBaseRaw: 0n })).toBe(false);
    expect(isValued({ ...priced, legs: [...priced.legs, supply(0n, 8)] })).toBe(false);
    const gone = { ...supply(0n, 8), amountRaw: 0n };
    expect(isValued({ ...priced, legs: [...priced.legs, gone] })).toBe(true);
  });
});
