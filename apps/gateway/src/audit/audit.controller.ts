import { Controller, Get, Query, UseGuards } from '@nestjs/common';
import { type AuditList, PageQuery } from '@plimsoll/contracts';
import { WithoutIdentity } from '@plimsoll/service-kit';
import { AccountGuard, CurrentSession } from '../sessions/account-guard';
import { SessionGuard } from '../sessions/session.guard';
import type { Session } from '../sessions/sessions';
import { AuditLog } from './audit-log';

@Controller('account/v1/audit')
@WithoutIdentity()
@UseGuards(AccountGuard, SessionGuard)
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  list(@CurrentSession() { accountId }: Session, @Query() page: PageQuery): Promise<AuditList> {
    return this.audit.list(accountId, page);
  }
}
