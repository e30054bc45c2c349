import type { RawPosition } from '@plimsoll/chain';
import type { Band } from '@plimsoll/contracts';
import { portfolioOf } from './portfolio';

const WAD = 10n ** 18n;
const figure = (collateral: bigint, debt: bigint, healthFactorRaw: bigint | null, band: Band) => ({
  band,
  position: {
    totalCollateralRaw: collateral * 10n ** 8n,
    totalDebtRaw: debt * 10n ** 8n,
    priceDecimals: 8,
    usdPerBaseRaw: WAD,
    healthFactorRaw,
  } as RawPosition,
});

describe('portfolioOf', () => {
  it('sums up, takes the mean over positions with debt, and counts those at risk', () => {
    const figures = [
      figure(7_500n, 5_000n, (12n * WAD) / 10n, 'high'),
      figure(3_000n, 1_000n, 2n * WAD, 'low'),
      figure(100n, 0n, null, 'none'),
      figure(50n, 49n, (8n * WAD) / 10n, 'liquidatable'),
    ];
    expect(portfolioOf(figures)).toEqual({
      totalPositions: 4,
      totalCollateralUsd: 10_650,
      totalDebtUsd: 6_049,
      netWorthUsd: 4_601,
      avgHealthFactor: 4 / 3,
      positionsAtRisk: 2,
    });
  });

  it('a wallet without positions, or without debt, has no mean', () => {
    expect(portfolioOf([])).toMatchObject({ totalPositions: 0, netWorthUsd: 0, avgHealthFactor: null });
    expect(portfolioOf([figure(100n, 0n, null, 'none')]).avgHealthFactor).toBeNull();
  });

  it('owes more than it holds: net worth is below 0', () => {
    expect(portfolioOf([figure(40n, 50n, WAD / 2n, 'liquidatable')]).netWorthUsd).toBe(-10);
  });
});
