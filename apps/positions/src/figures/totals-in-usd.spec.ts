import fc from 'fast-check';
import { totalsInUsd } from './totals-in-usd';

const WAD = 10n ** 18n;
const at = (collateral: bigint, debt: bigint, priceDecimals: number, usdPerBaseRaw: bigint) => ({
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
      netWorthUsd: 11_500,
    });
    expect(totalsInUsd([])).toEqual({ totalCollateralUsd: 0, totalDebtUsd: 0, netWorthUsd: 0 });
  });

  it('is the same in any order, however large some and small others are', () => {
    const position = fc.record({
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
