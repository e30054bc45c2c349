import { type Static, Type } from '@sinclair/typebox';
import { nullable, timestamp, utcDay } from './fields';

const calls = (description: string) => Type.Integer({ minimum: 0, description });

const EndpointUsage = Type.Object({
  endpoint: Type.String({
    description: 'Method and path from the endpoint table. `other` for requests without an endpoint.',
    examples: ['GET /v1/positions'],
  }),
  calls: calls('Admitted requests.'),
});

const DayUsage = Type.Object({
  date: utcDay('UTC day.'),
  calls: calls('Admitted requests of this day.'),
  endpoints: Type.Array(EndpointUsage, { description: 'Most requests first.' }),
});

/**
 * Response of GET /v1/usage and GET /account/v1/usage: requests with the account's keys in the last 30 UTC
 * days.
 */
export const UsageReport = Type.Object({
  quota: Type.Object({
    requestsPerMinute: Type.Integer({
      minimum: 1,
      description: 'Requests per minute that the account may send.',
    }),
    requestsPerDay: nullable(Type.Integer({ minimum: 1 }), 'Requests per UTC day. Null: no limit.'),
  }),
  days: Type.Array(DayUsage, { description: 'Today first. 30 days, including those without a request.' }),
  endpoints: Type.Array(EndpointUsage, { description: 'Sums over the days, most requests first.' }),
  calls: calls('Sum over the days.'),
  timestamp: timestamp('Time of this report. Requests of the last seconds may be missing.'),
});
export type UsageReport = Static<typeof UsageReport>;
