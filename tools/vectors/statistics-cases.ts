import {
  annualVolatility,
  ewmaVolatility,
  expectedShortfall,
  historicalVar,
  parametricVar,
  percentiles,
  sharpeRatio,
  tailMean,
} from '@plimsoll/risk-math';
import { alike, type Figures, type VectorCase } from './case';

export function percentileFigures(vector: VectorCase): Figures {
  const values = vector['values'] as number[];
  return alike(
    {
      type7: percentiles(values),
      weibull: percentiles(values, 'weibull'),
      inverted_cdf: percentiles(values, 'inverted_cdf'),
    },
    vector,
  );
}

/** The value of the portfolio behind the figures in USD. */
const PORTFOLIO_USD = 100_000;
const EXCHANGE_DAYS_PER_YEAR = 252;

export function riskMetricFigures(vector: VectorCase): Figures {
  const returns = vector['returns'] as number[];
  const var95 = historicalVar(returns);
  const cvar95 = expectedShortfall(returns);
  const normal = parametricVar(returns);
  return alike(
    {
      n: returns.length,
      var95_historical_linear: var95,
      var95_historical_weibull: historicalVar(returns, 0.95, 'weibull'),
      var95_historical_inverted_cdf: historicalVar(returns, 0.95, 'inverted_cdf'),
      cvar95_acerbi_tasche: cvar95,
      cvar95_tail_mean_leq_linear_quantile: tailMean(returns),
      var95_parametric_normal: normal.valueAtRisk,
      cvar95_parametric_normal: normal.expectedShortfall,
      var95_parametric_zero_mean: parametricVar(returns, 0.95, 0).valueAtRisk,
      volatility_annual_365: annualVolatility(returns),
      volatility_annual_252: annualVolatility(returns, EXCHANGE_DAYS_PER_YEAR),
      sharpe_annual_365_rf0: sharpeRatio(returns),
      sharpe_annual_365_rf4pct: sharpeRatio(returns, 0.04),
      ewma94_vol_annual_365: ewmaVolatility(returns),
      var95_usd_historical_linear: var95 * PORTFOLIO_USD,
      cvar95_usd: cvar95 * PORTFOLIO_USD,
    },
    vector['expected'],
  );
}
