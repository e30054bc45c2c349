import { type Actor, auditRow } from '../audit/audit-entry';
import type { Prisma } from '../generated/prisma/client';

/**
 * Sets a password and ends the sessions of the account, with the transaction that decided on it. Codes for another
 * password end too.
 * @param keepSessionId the session that goes on
 */
export async function setPassword(
  tx: Prisma.TransactionClient,
  accountId: string,
  passwordHash: string,
  action: 'password_changed' | 'password_reset',
  by: Actor,
  keepSessionId?: string,
): Promise<{ email: string }> {
  // Who has the mailed code, or the operator's word, has the address.
  const verified = action === 'password_reset' ? { emailVerifiedAt: new Date() } : {};
  const account = await tx.account.update({ where: { id: accountId }, data: { passwordHash, ...verified } });
  await tx.session.deleteMany({
    where: { accountId, ...(keepSessionId !== undefined && { id: { not: keepSessionId } }) },
  });
  await tx.mailToken.deleteMany({ where: { accountId, purpose: 'reset_password' } });
  await tx.auditEntry.create({ data: auditRow({ accountId, action, ...by }) });
  return account;
}
