import { Get, Query } from '@nestjs/common';
import { type AuditList, PageQuery } from '@plimsoll/contracts';
import { CurrentSession } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SessionGuard } from './session.guard';
import type { Session } from '../sessions/sessions';
import { AuditLog } from '../audit/audit-log';

@AccountRoutes('account/v1/audit', SessionGuard)
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  list(@CurrentSession() { accountId }: Session, @Query() page: PageQuery): Promise<AuditList> {
    return this.audit.list(accountId, page);
  }
}
