import { StatusReport } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { TIMESTAMP } from './samples';

export const statusOperations: Operations = {
  'GET /v1/status': {
    operationId: 'getStatus',
    tag: 'Service',
    summary: 'Condition and version of the service',
    description:
      'Condition of the service and of each part, at most a few seconds old. It needs a key and counts like every request.',
    responses: [
      {
        status: 200,
        description: 'The condition.',
        schema: StatusReport,
        example: {
          status: 'operational',
          version: '1.4.0',
          timestamp: TIMESTAMP,
          services: { positions: 'operational', alerts: 'operational' },
        },
      },
    ],
  },
};
