import {
  MonteCarloAnswer,
  MonteCarloBody,
  RISK_THRESHOLDS,
  StressScenarioList,
  StressTestAnswer,
  StressTestBody,
  WhatIfAnswer,
  WhatIfBody,
  riskLevelOf,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { HISTORY, NO_DRIFT, POSITION_BASIS, POSITION_ID } from './samples';

const { riskLevelBasis, riskLevelReason } = riskLevelOf(0.99, null);
const REASON = { riskLevelBasis, riskLevelReason };

const AT_ONCE =
  'An account runs at most 4 simulations at the same time (enterprise 16). More wait up to 5 s and then receive 503.';
const ON_HISTORY =
  'While the price history of an asset is unavailable, the response is a 503 that names it. The service never invents prices.';

const LOSSES =
  'estimatedLoss is the owner’s loss: the fall of the market and, after a liquidation, the penalty and the slippage of the sale, at most the net worth before. lossSplit has the parts, and the bad debt of the protocol. assumptions states their basis.';
const SPLIT = { marketLossUsd: 1_500, penaltyUsd: 125, slippageUsd: 0, badDebtUsd: 0 };
const ASSUMPTIONS = {
  depthModel: 'constant-product-1',
  depthBasis: { ETH: 'asset' },
  liquidationBonus: { ETH: 0.05 },
  bonusBasis: 'typical',
  closeFactor: 0.5,
  fullCloseHealthFactor: 0.95,
  fullCloseBelowUsd: 2_000,
};

export const simulationOperations: Operations = {
  'POST /v1/simulate/what-if': {
    operationId: 'simulateWhatIf',
    tag: 'Simulations',
    summary: 'A position at other prices',
    description: `Each scenario is applied separately, and all of them together under \`combined\`. A price change affects supplied and owed amounts. ETH and WETH have one price, and BTC and WBTC have one price. A staking token moves with its underlying asset at the same ratio, unless the list names it too. For Aave v3 the health factor is the contract's own value, to the last digit. An asset that the position does not have is a 400. ${LOSSES} ${AT_ONCE}`,
    body: WhatIfBody,
    bodyExample: { positionId: POSITION_ID, scenarios: [{ asset: 'ETH', priceChangePercent: -20 }] },
    responses: [
      {
        status: 200,
        description: 'The position after each change.',
        schema: WhatIfAnswer,
        example: {
          ...POSITION_BASIS,
          results: [
            {
              scenario: 'ETH -20%',
              asset: 'ETH',
              priceChangePercent: -20,
              movedAssets: ['WETH'],
              newHealthFactor: 0.99,
              liquidationRisk: 'liquidatable',
              ...REASON,
              estimatedLoss: 1_625,
              lossSplit: SPLIT,
            },
          ],
          combined: {
            newHealthFactor: 0.99,
            liquidationRisk: 'liquidatable',
            ...REASON,
            estimatedLoss: 1_625,
            lossSplit: SPLIT,
          },
          liquidationRiskFrom: 'health_factor',
          assumptions: ASSUMPTIONS,
          riskThresholds: RISK_THRESHOLDS,
        },
      },
    ],
    errors: ['not_found'],
  },
  'POST /v1/simulate/monte-carlo': {
    operationId: 'simulateMonteCarlo',
    tag: 'Simulations',
    summary: 'Probability of liquidation',
    description: `The probability that the health factor falls below 1 at any time within the horizon, and its distribution at the horizon. \`fhs\` draws days of the past year for all assets together and scales them to today's volatility. \`gbm\` uses log-normal prices and continuous monitoring. docs/model.md compares both with history. Iterations above the cap of the tier are 400 tier_limit_exceeded. With \`changes\` the figures describe the position after a repayment or a deposit, on the same paths. ${ON_HISTORY} The simulation stops when the client disconnects. ${AT_ONCE}`,
    body: MonteCarloBody,
    bodyExample: { positionId: POSITION_ID, iterations: 1_000, horizonDays: 30 },
    responses: [
      {
        status: 200,
        description: 'The probability and its basis.',
        schema: MonteCarloAnswer,
        example: {
          ...POSITION_BASIS,
          iterations: 1_000,
          horizonDays: 30,
          liquidationProbability: 0.312,
          percentiles: {
            p5: { healthFactor: 0.84 },
            p50: { healthFactor: 1.23 },
            p95: { healthFactor: 1.71 },
          },
          method: 'monte_carlo',
          seed: 2_914_406_121,
          model: 'fhs',
          standardError: 0.0131,
          upperBound95: null,
          drift: NO_DRIFT,
          ...HISTORY,
        },
      },
    ],
    errors: ['not_found', 'tier_limit_exceeded'],
  },
  'POST /v1/simulate/stress-test': {
    operationId: 'simulateStressTest',
    tag: 'Simulations',
    summary: 'A position under past falls',
    description: `The position under scenarios of GET /v1/simulate/scenarios, each applied separately. ${LOSSES} ${AT_ONCE}`,
    body: StressTestBody,
    bodyExample: { positionId: POSITION_ID, scenarios: ['march_2020'] },
    responses: [
      {
        status: 200,
        description: 'The position under each scenario.',
        schema: StressTestAnswer,
        example: {
          ...POSITION_BASIS,
          results: [
            {
              scenario: 'march_2020',
              healthFactor: 0.5635,
              liquidated: true,
              estimatedLoss: 2_500,
              lossSplit: { marketLossUsd: 2_500, penaltyUsd: 0, slippageUsd: 0, badDebtUsd: 1_742.14 },
              collateralUsd: 3_405,
              debtUsd: 4_985,
              shocks: { WETH: -54.6, USDC: -0.3 },
            },
          ],
          assumptions: ASSUMPTIONS,
        },
      },
    ],
    errors: ['not_found', 'unsupported_scenario'],
  },
  'GET /v1/simulate/scenarios': {
    operationId: 'listScenarios',
    tag: 'Simulations',
    summary: 'Stress scenarios',
    description: 'Every scenario of the stress test, with its price changes.',
    responses: [
      {
        status: 200,
        description: 'The scenarios.',
        schema: StressScenarioList,
        example: {
          scenarios: [
            {
              id: 'ftx_2022',
              kind: 'historical',
              description: 'November 2022: FTX fails',
              from: '2022-11-05',
              to: '2022-11-10',
              shocks: { BTC: -25.2, ETH: -32.2 },
            },
          ],
          count: 1,
        },
      },
    ],
  },
};
