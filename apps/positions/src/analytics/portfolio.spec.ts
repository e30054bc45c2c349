import type { Band } from '@plimsoll/contracts';
import type { RawLeg, RawPosition } from '@plimsoll/protocols';
import type { Figure } from '../figures/figures-reader';
import { portfolioOf } from './portfolio';

const WAD = 10n ** 18n;
const supply = (usd: bigint, usedAsCollateral: boolean): RawLeg => ({
  symbol: 'USDC',
  address: `0x${'22'.repeat(20)}`,
  side: 'collateral',
  amountRaw: usd * 10n ** 6n,
  scaledRaw: usd * 10n ** 6n,
  decimals: 6,
  priceRaw: 10n ** 8n,
  priceDecimals: 8,
  oracle: `0x${'33'.repeat(20)}`,
  liquidationThresholdBps: 7_800n,
  usedAsCollateral,
});
const figure = (
  collateral: bigint,
  debt: bigint,
  healthFactorRaw: bigint | null,
  riskLevel: Band,
  beside = 0n,
): Figure => ({
  level: { riskLevel, riskLevelBasis: 'health_factor', riskLevelReason: '', probability7d: null },
  position: {
    legs: [supply(collateral, true), supply(beside, false)],
    totalCollateralRaw: collateral * 10n ** 8n,
    totalDebtRaw: debt * 10n ** 8n,
    priceDecimals: 8,
    usdPerBaseRaw: WAD,
    healthFactorRaw,
  } as RawPosition,
});

describe('portfolioOf', () => {
  it('sums the positions, takes the mean over those with debt, and counts those at risk', () => {
    const figures = [
      figure(7_500n, 5_000n, (12n * WAD) / 10n, 'high'),
      figure(3_000n, 1_000n, 2n * WAD, 'low', 76_000n),
      figure(100n, 0n, null, 'none'),
      figure(50n, 49n, (8n * WAD) / 10n, 'liquidatable'),
    ];
    expect(portfolioOf(figures)).toEqual({
      totalPositions: 4,
      totalCollateralUsd: 10_650,
      totalDebtUsd: 6_049,
      totalSuppliedUsd: 86_650,
      netWorthUsd: 80_601,
      avgHealthFactor: 4 / 3,
      debtWeightedHealthFactor: expect.closeTo((1.2 * 5_000 + 2 * 1_000 + 0.8 * 49) / 6_049, 15),
      medianHealthFactor: 1.2,
      lowestHealthFactor: 0.8,
      positionsAtRisk: 2,
    });
  });

  it('a wallet without positions, or without debt, has no mean', () => {
    expect(portfolioOf([])).toMatchObject({ totalPositions: 0, netWorthUsd: 0, avgHealthFactor: null });
    expect(portfolioOf([figure(100n, 0n, null, 'none')])).toMatchObject({
      avgHealthFactor: null,
      debtWeightedHealthFactor: null,
      medianHealthFactor: null,
      lowestHealthFactor: null,
    });
  });

  it('has a net worth below 0 if it owes more than it holds', () => {
    expect(portfolioOf([figure(40n, 50n, WAD / 2n, 'liquidatable')]).netWorthUsd).toBe(-10);
  });
});
