import { StatusReport, UsageReport } from '@plimsoll/contracts';
import { documentEndpoint } from '@plimsoll/openapi';

/** The endpoints of LocalRoutes, which have no controller. */
documentEndpoint('GET /v1/status', {
  operationId: 'getStatus',
  tag: 'Service',
  summary: 'Condition and version of the service',
  description:
    'Condition of the service and of each part, at most a few seconds old. It needs a key and counts like every request.',
  responses: [{ status: 200, description: 'The condition.', schema: StatusReport }],
});

documentEndpoint('GET /v1/usage', {
  operationId: 'getUsage',
  tag: 'Service',
  summary: 'Requests of the last 30 days against the quota',
  description:
    'Admitted requests of all the account’s keys, by UTC day and by endpoint. Requests of the last seconds may be missing. `X-DailyLimit-Remaining` has the exact remainder of today.',
  responses: [{ status: 200, description: 'The report.', schema: UsageReport }],
});
