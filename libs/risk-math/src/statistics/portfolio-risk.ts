import { annualVolatility, sharpeRatio } from './returns';
import { expectedShortfall, historicalVar } from './value-at-risk';

/**
 * The net amount of an asset over all positions, debt negative, in USD, and its simple daily returns, oldest
 * first.
 */
export interface NetExposure {
  netUsd: number;
  dailyReturns: ArrayLike<number>;
}

/** Risk of a portfolio over one day. Shares are of net worth, positive = loss. */
export interface PortfolioRisk {
  var95: number;
  cvar95: number;
  var95Usd: number;
  cvar95Usd: number;
  /** Per √year. */
  portfolioVolatility: number;
  /** null when the volatility is 0. */
  sharpeRatio: number | null;
}

/**
 * Historical simulation: today's net exposures under each past day's returns of all assets. A day's loss is
 * capped at the equity, because a loan has no recourse. null when the net worth is not positive or a history
 * is shorter than two days. Linear quantile, Acerbi–Tasche, 365 days, risk-free rate 0.
 * @throws RangeError when the histories differ in length
 */
export function portfolioRisk(exposures: readonly NetExposure[]): PortfolioRisk | null {
  const days = exposures[0]?.dailyReturns.length ?? 0;
  if (exposures.some(({ dailyReturns }) => dailyReturns.length !== days)) {
    throw new RangeError('The return histories differ in length. Give the same days for every asset.');
  }
  const equityUsd = exposures.reduce((sum, { netUsd }) => sum + netUsd, 0);
  if (!(equityUsd > 0) || days < 2) return null;
  const returns = new Float64Array(days);
  for (let day = 0; day < days; day += 1) {
    let profitUsd = 0;
    for (const { netUsd, dailyReturns } of exposures) profitUsd += netUsd * dailyReturns[day]!;
    returns[day] = Math.max(-1, profitUsd / equityUsd);
  }
  const var95 = historicalVar(returns);
  const cvar95 = expectedShortfall(returns);
  return {
    var95,
    cvar95,
    var95Usd: var95 * equityUsd,
    cvar95Usd: cvar95 * equityUsd,
    portfolioVolatility: annualVolatility(returns),
    sharpeRatio: sharpeRatio(returns),
  };
}
