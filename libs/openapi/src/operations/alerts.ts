import { AlertList, ListAlertsQuery } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { ALERT_ID, POSITION_ID, TIMESTAMP } from './samples';

export const alertOperations: Operations = {
  'GET /v1/alerts': {
    operationId: 'listAlerts',
    tag: 'Alerts',
    summary: 'Alerts of the account',
    description: 'Active and resolved alerts on the watched wallets, newest first.',
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
