import {
  HistoricalQuery,
  HistoricalSnapshots,
  PortfolioAnalytics,
  PortfolioQuery,
  RISK_THRESHOLDS,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { ALL_READ, BLOCK, POSITION_ID, TIMESTAMP } from './samples';

export const analyticsOperations: Operations = {
  'GET /v1/analytics/portfolio': {
    operationId: 'getPortfolio',
    tag: 'Analytics',
    summary: 'Watched wallets as one portfolio',
    description:
      'Totals of the open positions of the account’s watched wallets, of the given wallets, or of one position. Parts that could not be read are missing in the figures and named in `unreadable`.',
    query: PortfolioQuery,
    responses: [
      {
        status: 200,
        description: 'The portfolio.',
        schema: PortfolioAnalytics,
        example: {
          portfolio: {
            totalPositions: 3,
            totalCollateralUsd: 31_500,
            totalDebtUsd: 20_000,
            totalSuppliedUsd: 33_000,
            netWorthUsd: 13_000,
            avgHealthFactor: 1.31,
            debtWeightedHealthFactor: 1.27,
            medianHealthFactor: 1.29,
            lowestHealthFactor: 1.19,
            positionsAtRisk: 1,
          },
          riskThresholds: RISK_THRESHOLDS,
          ...BLOCK,
          ...ALL_READ,
        },
      },
    ],
    errors: ['not_found', 'tier_limit_exceeded'],
  },
  'GET /v1/analytics/historical': {
    operationId: 'listSnapshots',
    tag: 'Analytics',
    summary: 'Past states of positions',
    description:
      'Snapshots of the positions of watched wallets, newest first: one an hour, and one at each change of a principal, of the risk band, or of 1 % in health factor. After 7 days the last of each hour remains, after 90 days the last of each UTC day. A wallet’s history begins when the account begins to watch it. More days than the tier allows are a 400. A wallet that is not watched is a 404.',
    query: HistoricalQuery,
    responses: [
      {
        status: 200,
        description: 'A page of snapshots.',
        schema: HistoricalSnapshots,
        example: {
          snapshots: [
            {
              positionId: POSITION_ID,
              healthFactor: 1.2375,
              healthFactorRaw: '1237500000000000000',
              collateralUsd: 7_500,
              debtUsd: 5_000,
              block: 24_100_207,
              createdAt: TIMESTAMP,
            },
          ],
          count: 1,
          days: 30,
          maxDays: 90,
          nextCursor: null,
        },
      },
    ],
    errors: ['not_found', 'tier_limit_exceeded'],
  },
};
