import { IsIn, Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { Example, Field, IsId, KEY_ID, Optional, PageQuery, TIMESTAMP } from '../fields';

/** Statuses by their first digit, and requests without a response. */
export const LOGGED_STATUSES = ['2xx', '3xx', '4xx', '5xx', 'none'] as const;

export type LoggedStatus = (typeof LOGGED_STATUSES)[number];

/** The two proofs of an account. */
export const REQUEST_SOURCES = ['key', 'session'] as const;

export type RequestSource = (typeof REQUEST_SOURCES)[number];

/** Query of GET /account/v1/requests. */
export class RequestLogQuery extends PageQuery {
  @JSONSchema({ description: 'Only requests with this X-Request-Id.' })
  @Optional()
  @Matches(/^[A-Za-z0-9._-]{1,128}$/, {
    message: 'requestId must be an X-Request-Id: 1 to 128 letters, digits, dots, underscores and hyphens',
  })
  requestId?: string;

  @JSONSchema({ description: 'Only requests with this key.' })
  @Optional()
  @IsId('key')
  keyId?: string;

  @JSONSchema({ description: 'Only requests with keys, or with sessions. Both when absent.' })
  @Optional()
  @IsIn(REQUEST_SOURCES)
  source?: RequestSource;

  @JSONSchema({
    description:
      'Only requests with a status of this hundred. none: the client disconnected before the response.',
  })
  @Optional()
  @IsIn(LOGGED_STATUSES)
  status?: LoggedStatus;
}

/** A request of the account at /v1. */
export class RequestLogItem {
  @Field.Text('X-Request-Id of the response.', { example: 'req_01aBcDeFgHiJkLmNoPqRsT' }) requestId!: string;
  @Field.Text('Method.', { example: 'GET' }) method!: string;

  @Field.Text('Path without its query, at most 200 characters.', { example: '/v1/positions' })
  path!: string;

  @Field.Integer('Status of the response. Null: the client disconnected before it.', {
    min: 100,
    max: 599,
    nullable: true,
  })
  status!: number | null;

  @Field.Number('Time between the head of the request and the end of the response. Milliseconds.', { min: 0 })
  durationMs!: number;

  @Field.Id('key', 'Key of the request. Null: a session.', { nullable: true }) keyId!: string | null;
  @Field.Timestamp('When the request arrived.') createdAt!: string;
}

/** Response of GET /account/v1/requests. */
@Example({
  requests: [
    {
      requestId: 'req_01aBcDeFgHiJkLmNoPqRsT',
      method: 'GET',
      path: '/v1/positions',
      status: 200,
      durationMs: 3.2,
      keyId: KEY_ID,
      createdAt: TIMESTAMP,
    },
  ],
  count: 1,
  nextCursor: null,
})
export class RequestLogList {
  @Field.Object(() => RequestLogItem, 'Newest first.', { list: true }) requests!: RequestLogItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
