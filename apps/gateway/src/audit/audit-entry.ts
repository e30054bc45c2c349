import { type AuditAction, type AuditActor, newId } from '@plimsoll/contracts';
import type { PoolClient } from 'pg';

/** Who does something, and from which client address; null: not over the network. */
export interface Actor {
  actor: AuditActor;
  address: string | null;
}

export const BY_ADMIN: Actor = { actor: 'admin', address: null };

/** What is written into the audit log; `details` never hold a secret. */
export interface AuditEntry extends Actor {
  accountId: string;
  action: AuditAction;
  details?: Record<string, string>;
}

/** The row of an entry, for Prisma. */
export const auditRow = ({ details = {}, ...entry }: AuditEntry) => ({
  id: newId('aud'),
  createdAt: new Date(),
  details,
  ...entry,
});

/** Writes an entry with the transaction of what it tells of. */
export async function appendAudit(tx: PoolClient, entry: AuditEntry): Promise<void> {
  const { id, accountId, action, actor, address, details, createdAt } = auditRow(entry);
  await tx.query(
    `INSERT INTO audit_entries (id, account_id, action, actor, address, details, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, accountId, action, actor, address, JSON.stringify(details), createdAt],
  );
}
