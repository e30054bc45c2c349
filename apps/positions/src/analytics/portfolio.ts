import type { PortfolioAnalytics } from '@plimsoll/contracts';
import type { RawPosition } from '@plimsoll/protocols';
import type { Figure } from '../figures/figures-reader';
import { totalsInUsd } from '../amounts/totals-in-usd';
import { healthFactorNumber } from '../amounts/units';

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

type Owing = Pick<RawPosition, 'healthFactorRaw' | 'totalDebtRaw' | 'priceDecimals' | 'usdPerBaseRaw'>;

/** Health factors (wad) over positions. Null if none of them has debt. */
interface HealthFactors {
  /** Every position has the same weight. */
  mean: bigint | null;
  /** Weighted by the debt of each position in USD. Null too if a debt has no price. */
  debtWeighted: bigint | null;
  median: bigint | null;
  lowest: bigint | null;
}

/** The aggregate health factors of several positions. Positions without debt have none and do not count. */
export function healthFactorsOf(positions: readonly Owing[]): HealthFactors {
  const decimals = positions.reduce((most, { priceDecimals }) => Math.max(most, priceDecimals), 0);
  const owing = positions.flatMap(({ healthFactorRaw: factor, ...position }) =>
    factor === null ? [] : [{ factor, weight: debtOf(position, decimals) }],
  );
  const factors = owing.map(({ factor }) => factor).toSorted((a, b) => (a < b ? -1 : a > b ? 1 : 0));
  if (factors.length === 0) return { mean: null, debtWeighted: null, median: null, lowest: null };
  const debt = sum(owing.map(({ weight }) => weight));
  const [below, above] = [factors[(factors.length - 1) >> 1]!, factors[factors.length >> 1]!];
  return {
    mean: sum(factors) / BigInt(factors.length),
    debtWeighted: debt === 0n ? null : sum(owing.map(({ factor, weight }) => factor * weight)) / debt,
    median: (below + above) / 2n,
    lowest: factors[0]!,
  };
}

/** USD in a unit that all positions share. */
function debtOf(
  { totalDebtRaw, priceDecimals, usdPerBaseRaw }: Omit<Owing, 'healthFactorRaw'>,
  decimals: number,
): bigint {
  return totalDebtRaw * (usdPerBaseRaw ?? 0n) * 10n ** BigInt(decimals - priceDecimals);
}

function sum(values: readonly bigint[]): bigint {
  return values.reduce((total, value) => total + value, 0n);
}
