import { Get } from '@nestjs/common';
import type { UsageReport } from '@plimsoll/contracts';
import { CurrentSession } from '../identity/api/account-guard';
import { AccountRoutes } from '../identity/api/account-routes';
import { SessionGuard } from '../identity/api/session.guard';
import type { Session } from '../identity/sessions/sessions';
import { Usage } from './usage';

@AccountRoutes('account/v1/usage', SessionGuard)
export class UsageController {
  constructor(private readonly usage: Usage) {}

  @Get()
  report(@CurrentSession() { accountId }: Session): Promise<UsageReport> {
    return this.usage.report(accountId);
  }
}
