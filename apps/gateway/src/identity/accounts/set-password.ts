import { type Actor, auditRow } from '../audit/audit-entry';
import type { Prisma } from '../../generated/prisma/client';

/**
 * Sets a password and ends the sessions of the account, in the caller's transaction. It also invalidates
 * other password codes.
 * @param keepSessionId the session that stays open
 */
export async function setPassword(
  tx: Prisma.TransactionClient,
  accountId: string,
  passwordHash: string,
  action: 'password_changed' | 'password_reset',
  by: Actor,
  keepSessionId?: string,
): Promise<{ email: string }> {
  // The holder of the mailed code, or the operator's confirmation, proves the address.
  const verified = action === 'password_reset' ? { emailVerifiedAt: new Date() } : {};
  const account = await tx.account.update({ where: { id: accountId }, data: { passwordHash, ...verified } });
  await tx.session.deleteMany({
    where: { accountId, ...(keepSessionId !== undefined && { id: { not: keepSessionId } }) },
  });
  await tx.mailToken.deleteMany({ where: { accountId, purpose: 'reset_password' } });
  await tx.auditEntry.create({ data: auditRow({ accountId, action, ...by }) });
  return account;
}
