import { Controller, Get, UseGuards } from '@nestjs/common';
import type { UsageReport } from '@plimsoll/contracts';
import { WithoutIdentity } from '@plimsoll/service-kit';
import { AccountGuard, CurrentSession } from '../sessions/account-guard';
import { SessionGuard } from '../sessions/session.guard';
import type { Session } from '../sessions/sessions';
import { Usage } from './usage';

@Controller('account/v1/usage')
@WithoutIdentity()
@UseGuards(AccountGuard, SessionGuard)
export class UsageController {
  constructor(private readonly usage: Usage) {}

  @Get()
  report(@CurrentSession() { accountId }: Session): Promise<UsageReport> {
    return this.usage.report(accountId);
  }
}
