import { AlertList, ListAlertsQuery } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { ALERT_ID, POSITION_ID, TIMESTAMP } from './samples';

export const alertOperations: Operations = {
  'GET /v1/alerts': {
    operationId: 'listAlerts',
    tag: 'Alerts',
    summary: 'Alerts of the account',
    description:
      'Active and resolved alerts on the watched wallets, newest first. price_move: the market price of an asset that a watched position has as collateral or owes is 10 % away from its highest or lowest within an hour (severity medium; high from 20 %, as a new alert), until it is less than 7.5 %. oracle_stale: there is no fresh market price of such an asset. Both are one alert for each asset, with positionId null; no alert opens again within five minutes unless it is worse.',
    query: ListAlertsQuery,
    answers: [
      {
        status: 200,
        description: 'A page of alerts.',
        schema: AlertList,
        example: {
          alerts: [
            {
              id: ALERT_ID,
              type: 'health_factor_warning',
              severity: 'high',
              title: 'Health factor 1.2375',
              message: 'The health factor of the aave-v3 position on chain 1 fell to 1.2375.',
              status: 'active',
              positionId: POSITION_ID,
              createdAt: TIMESTAMP,
              resolvedAt: null,
            },
          ],
          nextCursor: null,
        },
      },
    ],
  },
};
