import { Get } from '@nestjs/common';
import { UsageReport } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { AccountRoutes, CurrentSession, type Session, SessionGuard } from '../identity';
import { Usage } from './usage';

@AccountRoutes('account/v1/usage', SessionGuard)
export class UsageController {
  constructor(private readonly usage: Usage) {}

  @Get()
  @Documented({
    operationId: 'getAccountUsage',
    tag: 'Account',
    signedIn: true,
    summary: 'Requests of the last 30 days against the quota',
    description: 'The report of `GET /v1/usage`, for the session.',
    responses: [{ status: 200, description: 'The report.', schema: UsageReport }],
  })
  report(@CurrentSession() { accountId }: Session): Promise<UsageReport> {
    return this.usage.report(accountId);
  }
}
