import { MarketHealth, RiskHistory, RiskHistoryQuery, RiskIndex } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { TIMESTAMP } from './samples';

const COMPONENTS = { volatility: 41.3, liquidationPressure: 28, protocolStability: 91.5 };

export const riskOperations: Operations = {
  'GET /v1/risk/market-health': {
    operationId: 'getMarketHealth',
    tag: 'Risk',
    summary: 'Health of the market in words',
    description:
      'The risk index as words, from the same measurement as the index, so that both always agree.',
    responses: [
      {
        status: 200,
        description: 'The health.',
        schema: MarketHealth,
        example: {
          overallRisk: 'moderate',
          riskScore: 30,
          indicators: { volatility: 'moderate', liquidationRisk: 'moderate', protocolHealth: 'healthy' },
          updatedAt: TIMESTAMP,
        },
      },
    ],
  },
  'GET /v1/risk/index': {
    operationId: 'getRiskIndex',
    tag: 'Risk',
    summary: 'One figure for the risk of the market',
    description:
      'From 0 to 100: volatility of BTC and ETH, the share of the tracked debt that a fall of 20 % makes liquidatable, and strain on protocols.',
    responses: [
      {
        status: 200,
        description: 'The index.',
        schema: RiskIndex,
        example: {
          gri: 30,
          label: 'moderate',
          trend: 'stable',
          components: COMPONENTS,
          updatedAt: TIMESTAMP,
        },
      },
    ],
  },
  'GET /v1/risk/index/history': {
    operationId: 'listRiskIndexHistory',
    tag: 'Risk',
    summary: 'The risk index by hour',
    description: 'The index at the end of each hour, newest first. Hours without a measurement are absent.',
    query: RiskHistoryQuery,
    responses: [
      {
        status: 200,
        description: 'The hours.',
        schema: RiskHistory,
        example: {
          history: [{ at: TIMESTAMP, gri: 30, label: 'moderate', components: COMPONENTS }],
          count: 1,
          days: 7,
        },
      },
    ],
  },
};
