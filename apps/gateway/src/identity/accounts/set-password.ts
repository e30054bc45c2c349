import { notFound } from '@plimsoll/contracts';
import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import type { AccountName } from './accounts';
import type { Passwords } from './passwords';
import { type Actor, auditRow, BY_ADMIN } from '../audit/audit-entry';

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

/**
 * Sets a password that the operator passes on, and ends the account's sessions.
 * @param newPassword returns a random password
 * @throws Problem not_found
 */
export async function resetByAdmin(
  prisma: PrismaClient,
  name: AccountName,
  passwords: Passwords,
  newPassword: () => string,
): Promise<{ id: string; email: string; password: string }> {
  const account = await prisma.account.findUnique({ where: name, select: { id: true } });
  if (!account) throw notFound('account');
  const password = newPassword();
  const passwordHash = await passwords.hash(password);
  const { email } = await prisma.$transaction((tx) =>
    setPassword(tx, account.id, passwordHash, 'password_reset', BY_ADMIN),
  );
  return { id: account.id, email, password };
}
