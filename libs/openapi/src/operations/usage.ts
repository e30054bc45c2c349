import { UsageReport } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { TIMESTAMP } from './samples';

const ENDPOINTS = [{ endpoint: 'GET /v1/positions', calls: 588 }];

/** A usage report; in an answer `days` has 30. */
export const USAGE_EXAMPLE = {
  quota: { requestsPerMinute: 60, requestsPerDay: 100_000 },
  days: [{ date: '2026-11-21', calls: 588, endpoints: ENDPOINTS }],
  endpoints: ENDPOINTS,
  calls: 588,
  timestamp: TIMESTAMP,
};

export const usageOperations: Operations = {
  'GET /v1/usage': {
    operationId: 'getUsage',
    tag: 'Service',
    summary: 'Calls of the last 30 days against the quota',
    description:
      'Calls with the account’s keys that were admitted, by UTC day and by endpoint, over all its keys. Calls of the last seconds may be missing; what is left of today stands in `X-DailyLimit-Remaining` to the call.',
    answers: [{ status: 200, description: 'The report.', schema: UsageReport, example: USAGE_EXAMPLE }],
  },
};
