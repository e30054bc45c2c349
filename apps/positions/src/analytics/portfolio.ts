import type { PortfolioAnalytics } from '@plimsoll/contracts';
import type { Figure } from '../figures/figures-reader';
import { totalsInUsd } from '../amounts/totals-in-usd';
import { healthFactorNumber } from '../amounts/units';
import { healthFactorsOf } from './health-factors';

const AT_RISK: ReadonlySet<string> = new Set(['high', 'critical', 'liquidatable']);

/** Sums positions, exact until the last step. */
export function portfolioOf(figures: readonly Figure[]): PortfolioAnalytics['portfolio'] {
  const positions = figures.map(({ position }) => position);
  const { mean, debtWeighted, median, lowest } = healthFactorsOf(positions);
  return {
    totalPositions: positions.length,
    ...totalsInUsd(positions),
    avgHealthFactor: healthFactorNumber(mean),
    debtWeightedHealthFactor: healthFactorNumber(debtWeighted),
    medianHealthFactor: healthFactorNumber(median),
    lowestHealthFactor: healthFactorNumber(lowest),
    positionsAtRisk: figures.filter(({ level: { riskLevel } }) => AT_RISK.has(riskLevel)).length,
  };
}
