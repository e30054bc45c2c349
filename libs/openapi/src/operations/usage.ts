import { UsageReport } from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { TIMESTAMP } from './samples';

const ENDPOINTS = [{ endpoint: 'GET /v1/positions', calls: 588 }];

/** A usage report. In a real response `days` has 30 entries. */
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
    summary: 'Requests of the last 30 days against the quota',
    description:
      'Admitted requests of all the account’s keys, by UTC day and by endpoint. Requests of the last seconds may be missing. `X-DailyLimit-Remaining` has the exact remainder of today.',
    responses: [{ status: 200, description: 'The report.', schema: UsageReport, example: USAGE_EXAMPLE }],
  },
};
