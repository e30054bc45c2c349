import { DayField, IntegerField, ObjectField, TextField, TimestampField } from '../fields/fields';
import { Example } from '../fields/response-schema';
import { TIMESTAMP } from '../fields/samples';

const ENDPOINTS = [{ endpoint: 'GET /v1/positions', calls: 588 }];

const calls = (description: string) => IntegerField(description, { min: 0 });

class EndpointUsage {
  @TextField('Method and path from the endpoint table. `other` for requests without an endpoint.', {
    example: 'GET /v1/positions',
  })
  endpoint!: string;

  @calls('Admitted requests.') calls!: number;
}

class DayUsage {
  @DayField('UTC day.') date!: string;
  @calls('Admitted requests of this day.') calls!: number;
  @ObjectField(() => EndpointUsage, 'Most requests first.', { list: true }) endpoints!: EndpointUsage[];
}

class UsageReportQuota {
  @IntegerField('Requests per minute that the account may send.', { min: 1 }) requestsPerMinute!: number;

  @IntegerField('Requests per UTC day. Null: no limit.', { min: 1, nullable: true })
  requestsPerDay!: number | null;
}

/**
 * Response of GET /v1/usage and GET /account/v1/usage: requests with the account's keys in the last 30 UTC
 * days.
 */
@Example({
  quota: { requestsPerMinute: 60, requestsPerDay: 100_000 },
  // A real response has 30 days.
  days: [{ date: '2026-11-21', calls: 588, endpoints: ENDPOINTS }],
  endpoints: ENDPOINTS,
  calls: 588,
  timestamp: TIMESTAMP,
})
export class UsageReport {
  @ObjectField(() => UsageReportQuota) quota!: UsageReportQuota;

  @ObjectField(() => DayUsage, 'Today first. 30 days, including those without a request.', { list: true })
  days!: DayUsage[];

  @ObjectField(() => EndpointUsage, 'Sums over the days, most requests first.', { list: true })
  endpoints!: EndpointUsage[];

  @calls('Sum over the days.') calls!: number;
  @TimestampField('Time of this report. Requests of the last seconds may be missing.') timestamp!: string;
}
