import { Example, Field, KEY_ID, TIMESTAMP } from '../fields';

const ENDPOINTS = [{ endpoint: 'GET /v1/positions', calls: 588 }];

const calls = (description: string) => Field.Integer(description, { min: 0 });

class EndpointUsage {
  @Field.Text('Method and path from the endpoint table. `other` for requests without an endpoint.', {
    example: 'GET /v1/positions',
  })
  endpoint!: string;

  @calls('Admitted requests.') calls!: number;
}

class DayUsage {
  @Field.Day('UTC day.') date!: string;
  @calls('Admitted requests of this day.') calls!: number;
  @Field.Object(() => EndpointUsage, 'Most requests first.', { list: true }) endpoints!: EndpointUsage[];
}

class UsageReportQuota {
  @Field.Integer('Requests per minute that the account may send.', { min: 1 }) requestsPerMinute!: number;

  @Field.Integer('Requests per UTC day. Null: no limit.', { min: 1, nullable: true })
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
  @Field.Object(() => UsageReportQuota, 'Limits of the account.') quota!: UsageReportQuota;

  @Field.Object(() => DayUsage, 'Today first. 30 days, including those without a request.', { list: true })
  days!: DayUsage[];

  @Field.Object(() => EndpointUsage, 'Sums over the days, most requests first.', { list: true })
  endpoints!: EndpointUsage[];

  @calls('Sum over the days.') calls!: number;
  @Field.Timestamp('Time of this report. Requests of the last seconds may be missing.') timestamp!: string;
}

class MinuteUsage {
  @Field.Timestamp('When the minute began.') minute!: string;
  @calls('Admitted requests of this minute.') calls!: number;
}

class KeyUsage {
  @Field.Id('key', 'The key. Null: all sessions.', { nullable: true }) keyId!: string | null;
  @calls('Admitted requests of the last 30 UTC days.') calls!: number;
  @calls('Admitted requests of this UTC day.') today!: number;
}

/** Response of GET /account/v1/usage/recent. */
@Example({
  minutes: [{ minute: TIMESTAMP, calls: 12 }],
  keys: [{ keyId: KEY_ID, calls: 588, today: 41 }],
  timestamp: TIMESTAMP,
})
export class RecentUsage {
  @Field.Object(() => MinuteUsage, 'Minutes of the last 24 hours with a request, oldest first.', {
    list: true,
  })
  minutes!: MinuteUsage[];

  @Field.Object(() => KeyUsage, 'Most requests first.', { list: true }) keys!: KeyUsage[];
  @Field.Timestamp('Time of this report. Requests of the last seconds may be missing.') timestamp!: string;
}
