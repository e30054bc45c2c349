import { Get, Query } from '@nestjs/common';
import { AuditList, PageQuery } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentSession } from './account-guard';
import { AccountRoutes } from './account-routes';
import { SessionGuard } from './session.guard';
import type { Session } from '../sessions/sessions';
import { AuditLog } from '../audit/audit-log';

@AccountRoutes('account/v1/audit', SessionGuard)
export class AuditController {
  constructor(private readonly audit: AuditLog) {}

  @Get()
  @Documented({
    operationId: 'listAudit',
    tag: 'Account',
    signedIn: true,
    summary: 'Audit log',
    description: 'Actions on the account, with actor and address, for 400 days. Newest first.',
    responses: [{ status: 200, description: 'A page of entries.', schema: AuditList }],
  })
  list(@CurrentSession() { accountId }: Session, @Query() page: PageQuery): Promise<AuditList> {
    return this.audit.list(accountId, page);
  }
}
