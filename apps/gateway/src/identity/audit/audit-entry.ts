import { type AuditAction, type AuditActor, newId } from '@plimsoll/contracts';

/** The actor and its client address. Null when it did not act over the network. */
export interface Actor {
  actor: AuditActor;
  address: string | null;
  sessionId?: string | null;
  userAgent?: string | null;
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
