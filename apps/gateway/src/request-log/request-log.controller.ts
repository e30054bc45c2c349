import { Get, Query } from '@nestjs/common';
import { RequestLogList, RequestLogQuery } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { AccountRoutes, CurrentSession, type Session, SessionGuard } from '../identity';
import { RequestLogReader } from './request-log-reader';

@AccountRoutes('account/v1/requests', SessionGuard)
export class RequestLogController {
  constructor(private readonly log: RequestLogReader) {}

  @Get()
  @Documented({
    operationId: 'listRequests',
    tag: 'Account',
    signedIn: true,
    summary: 'Request log',
    description:
      'Requests at `/v1` with the account’s keys and sessions in the last 7 days, newest first, without bodies and queries. Refused requests are included when their key or session is valid. Opened streams are not. A request appears within two seconds of its end. Above a number of requests in a second, an account’s further requests are counted in the usage only.',
    responses: [{ status: 200, description: 'A page of requests.', schema: RequestLogList }],
  })
  list(@CurrentSession() { accountId }: Session, @Query() query: RequestLogQuery): Promise<RequestLogList> {
    return this.log.list(accountId, query);
  }
}
