import type { PortfolioAnalytics } from '@plimsoll/contracts';
import type { Figure } from '../figures/figures-reader';
import { totalsInUsd } from '../figures/totals-in-usd';
import { healthFactorNumber } from '../figures/units';

const AT_RISK: ReadonlySet<string> = new Set(['high', 'critical', 'liquidatable']);

/** Positions summed up; exact until the last step. */
export function portfolioOf(figures: readonly Figure[]): PortfolioAnalytics['portfolio'] {
  const positions = figures.map(({ position }) => position);
  const { totalCollateralUsd, totalDebtUsd, netWorthUsd } = totalsInUsd(positions);
  const factors = positions.flatMap(({ healthFactorRaw }) => healthFactorRaw ?? []);
  const sum = factors.reduce((total, factor) => total + factor, 0n);
  return {
    totalPositions: positions.length,
    totalCollateralUsd,
    totalDebtUsd,
    netWorthUsd,
    avgHealthFactor: factors.length === 0 ? null : healthFactorNumber(sum / BigInt(factors.length)),
    positionsAtRisk: figures.filter(({ band }) => AT_RISK.has(band)).length,
  };
}
