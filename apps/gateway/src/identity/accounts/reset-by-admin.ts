import { notFound } from '@plimsoll/contracts';
import { BY_ADMIN } from '../audit/audit-entry';
import type { PrismaClient } from '../../generated/prisma/client';
import type { AccountName } from './accounts';
import type { Passwords } from './passwords';
import { setPassword } from './set-password';

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
