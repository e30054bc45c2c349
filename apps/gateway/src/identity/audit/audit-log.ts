import { Injectable, Logger } from '@nestjs/common';
import type { AuditItem, AuditList, PageQuery } from '@plimsoll/contracts';
import { pageAfter, pageOf } from '../database/page';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { type AuditEntry, auditRow } from './audit-entry';

/** The actions on an account with their actors. */
@Injectable()
export class AuditLog {
  private readonly logger = new Logger('audit');

  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Writes an entry for an action that changed no row. A failure is logged and does not affect the action.
   */
  async note(entry: AuditEntry): Promise<void> {
    try {
      await this.prisma.auditEntry.create({ data: auditRow(entry) });
    } catch (error) {
      this.logger.error({ msg: 'an audit entry was not written', action: entry.action, err: error });
    }
  }

  /**
   * Newest first.
   * @throws Problem invalid_request for a cursor of another list
   */
  async list(accountId: string, { limit, cursor }: PageQuery): Promise<AuditList> {
    const after = pageAfter(cursor, 'aud');
    const rows = await this.prisma.auditEntry.findMany({
      where: { accountId, ...(after && olderThan(after)) },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      take: limit + 1,
    });
    const { page, nextCursor } = pageOf(rows, limit);
    const entries = page.map(
      ({ id, action, actor, address, sessionId, userAgent, details, createdAt }) =>
        ({
          id,
          action,
          actor,
          address,
          sessionId,
          userAgent,
          details,
          createdAt: createdAt.toISOString(),
        }) as AuditItem,
    );
    return { entries, count: entries.length, nextCursor };
  }
}

const olderThan = ({ createdAt, id }: { createdAt: Date; id: string }): Prisma.AuditEntryWhereInput => ({
  // Where the index begins.
  createdAt: { lte: createdAt },
  OR: [{ createdAt: { lt: createdAt } }, { id: { lt: id } }],
});
