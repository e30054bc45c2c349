import { type Static, Type } from '@sinclair/typebox';
import { nullable, timestamp, utcDay } from './fields';

const calls = (description: string) => Type.Integer({ minimum: 0, description });

const EndpointUsage = Type.Object({
  endpoint: Type.String({
    description: 'Method and path of the endpoint table; `other` for calls that met no endpoint.',
    examples: ['GET /v1/positions'],
  }),
  calls: calls('Calls that were admitted.'),
});

const DayUsage = Type.Object({
  date: utcDay('UTC day.'),
  calls: calls('Calls of this day that were admitted.'),
  endpoints: Type.Array(EndpointUsage, { description: 'Most called first.' }),
});

/**
 * Response of GET /v1/usage and GET /account/v1/usage: requests with the account's keys in the last 30 UTC
 * days.
 */
export const UsageReport = Type.Object({
  quota: Type.Object({
    requestsPerMinute: Type.Integer({ minimum: 1, description: 'Calls that the account may make a minute.' }),
    requestsPerDay: nullable(
      Type.Integer({ minimum: 1 }),
      'Calls that it may make a UTC day; null: no limit.',
    ),
  }),
  days: Type.Array(DayUsage, { description: 'Today first; 30 days, those without a call too.' }),
  endpoints: Type.Array(EndpointUsage, { description: 'Sums over the days, most called first.' }),
  calls: calls('Sum over the days.'),
  timestamp: timestamp('When this was said. Calls of the last seconds may be missing.'),
});
export type UsageReport = Static<typeof UsageReport>;
