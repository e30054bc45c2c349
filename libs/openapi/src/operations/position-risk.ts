import {
  DeleverageAnswer,
  DeleverageBody,
  ForecastAnswer,
  ForecastBody,
  RiskMetrics,
  RiskMetricsQuery,
  RiskScoreAnswer,
  recordId,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { BLOCK, HISTORY, NO_DRIFT, POSITION_BASIS, TIMESTAMP } from './samples';

const path = { id: recordId('pos', 'Id of the position.') };
const ON_HISTORY =
  'While the price history of an asset is unavailable, the response is a 503 that names it. A position without debt needs none.';

export const positionRiskOperations: Operations = {
  'GET /v1/positions/:id/risk-score': {
    operationId: 'getRiskScore',
    tag: 'Risk',
    summary: 'Risk score of a position',
    description: `0 to 100. The level of the position decides the quarter of the scale, so label and riskLevel never contradict each other. The base score ranks positions within a quarter. It is the larger of a weighted sum of four factors and 100·√ of the probability of liquidation within 30 days. docs/model.md has the formula. ${ON_HISTORY}`,
    path,
    responses: [
      {
        status: 200,
        description: 'The score.',
        schema: RiskScoreAnswer,
        example: {
          ...POSITION_BASIS,
          riskScore: 65.7,
          label: 'high',
          level: 'high',
          baseScore: 63.2,
          levelFloor: 50,
          factors: {
            healthFactor: 80.6,
            collateralVolatility: 52,
            debtConcentration: 100,
            protocolRisk: 10,
          },
          liquidationProbability30d: 0.4,
          model: 'fhs',
          standardError: 0.0061,
          upperBound95: null,
          drift: NO_DRIFT,
          ...HISTORY,
        },
      },
    ],
    errors: ['not_found'],
  },
  'POST /v1/positions/:id/forecast': {
    operationId: 'forecastLiquidation',
    tag: 'Risk',
    summary: 'Liquidation prices and times of a position',
    description: `The price of each asset at which the position is liquidated while the other prices stay the same, the distance to it, the median time to liquidation without action, and the time until interest alone causes a liquidation. The times and the probability within 30 days come from the same 5,000 paths of filtered historical simulation over 365 days. They have no trend unless \`drift\` requests one. The body is optional. ${ON_HISTORY}`,
    path,
    body: ForecastBody,
    bodyExample: { drift: 'none' },
    responses: [
      {
        status: 200,
        description: 'The forecast.',
        schema: ForecastAnswer,
        example: {
          ...POSITION_BASIS,
          liquidationPrice: { WETH: 2_424.2, USDC: 1.2375 },
          distancePercent: 19.19,
          volatileDistancePercent: 19.19,
          daysToLiquidation: 61,
          firstPassageDays: { p5: 6, p10: 10, p25: 24, p50: 61, p75: null },
          notWithinDays: 365,
          liquidationProbability30d: 0.312,
          iterations: 5_000,
          carryDays: 1_944.5,
          carryDaysReason: null,
          model: 'fhs',
          standardError: 0.0058,
          upperBound95: null,
          drift: NO_DRIFT,
          ...HISTORY,
        },
      },
    ],
    errors: ['not_found'],
  },
  'POST /v1/positions/:id/deleverage': {
    operationId: 'planDeleverage',
    tag: 'Risk',
    summary: 'Actions that reach a health factor',
    description:
      'repay_debt repays from other funds. sell_collateral and flash_loan_unwind sell one collateral and repay with what remains after swap fee, slippage and flash-loan premium. A result without these costs would miss the target. Nothing is executed. A target that is already reached needs 0.',
    path,
    body: DeleverageBody,
    bodyExample: { targetHealthFactor: 1.5 },
    responses: [
      {
        status: 200,
        description: 'The plan.',
        schema: DeleverageAnswer,
        example: {
          ...POSITION_BASIS,
          targetHealthFactor: 1.5,
          protocol: 'aave-v3',
          strategy: 'repay_debt',
          requiredRepayUsd: 875,
          feasible: true,
          sale: null,
          addCollateralUsd: { WETH: 1_590.91 },
        },
      },
    ],
    errors: ['not_found'],
  },
  'GET /v1/risk/metrics': {
    operationId: 'getRiskMetrics',
    tag: 'Risk',
    summary: 'Risk of a portfolio',
    description: `Value at risk, expected shortfall, volatility and Sharpe ratio of the account's watched wallets, or of the given wallets or position: today's net exposures under each day of the past year. The loss of a day is at most the net worth. ${ON_HISTORY}`,
    query: RiskMetricsQuery,
    responses: [
      {
        status: 200,
        description: 'The figures.',
        schema: RiskMetrics,
        example: {
          var95: 0.131,
          cvar95: 0.187,
          portfolioVolatility: 1.52,
          sharpeRatio: 0.41,
          var95Usd: 327.5,
          cvar95Usd: 467.5,
          netWorthUsd: 2_500,
          positions: 1,
          priceTime: TIMESTAMP,
          unreadable: [],
          ...BLOCK,
          ...HISTORY,
        },
      },
    ],
    errors: ['not_found', 'tier_limit_exceeded'],
  },
};
