import { Get } from '@nestjs/common';
import type { UsageReport } from '@plimsoll/contracts';
import { AccountRoutes, CurrentSession, type Session, SessionGuard } from '../identity';
import { Usage } from './usage';

@AccountRoutes('account/v1/usage', SessionGuard)
export class UsageController {
  constructor(private readonly usage: Usage) {}

  @Get()
  report(@CurrentSession() { accountId }: Session): Promise<UsageReport> {
    return this.usage.report(accountId);
  }
}
