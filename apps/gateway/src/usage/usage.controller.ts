import { Get } from '@nestjs/common';
import { RecentUsage, UsageReport } from '@plimsoll/contracts';
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

  @Get('recent')
  @Documented({
    operationId: 'getRecentUsage',
    tag: 'Account',
    signedIn: true,
    summary: 'Requests by minute and by key',
    description:
      'Admitted requests of the last 24 hours by minute, and of the last 30 UTC days by key. Requests of the last seconds may be missing.',
    responses: [{ status: 200, description: 'The report.', schema: RecentUsage }],
  })
  recent(@CurrentSession() { accountId }: Session): Promise<RecentUsage> {
    return this.usage.recent(accountId);
  }
}
