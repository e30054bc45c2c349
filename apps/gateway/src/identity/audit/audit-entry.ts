import { type AuditAction, type AuditActor, newId } from '@plimsoll/contracts';
import type { PoolClient } from 'pg';

/** The actor and its client address. Null when it did not act over the network. */
export interface Actor {
  actor: AuditActor;
  address: string | null;
}

export const BY_ADMIN: Actor = { actor: 'admin', address: null };

/** An entry of the audit log. `details` never contain a secret. */
export interface AuditEntry extends Actor {
  accountId: string;
  action: AuditAction;
  details?: Record<string, string>;
}

/** Returns the row of an entry for Prisma. */
export const auditRow = ({ details = {}, ...entry }: AuditEntry) => ({
  id: newId('aud'),
  createdAt: new Date(),
  details,
  ...entry,
});

/** Writes an entry in the transaction of its action. */
export async function appendAudit(tx: PoolClient, entry: AuditEntry): Promise<void> {
  const { id, accountId, action, actor, address, details, createdAt } = auditRow(entry);
  await tx.query(
    `INSERT INTO audit_entries (id, account_id, action, actor, address, details, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)`,
    [id, accountId, action, actor, address, JSON.stringify(details), createdAt],
  );
}
