import { type SessionEnding, notFound } from '@plimsoll/contracts';
import { Prisma, type PrismaClient } from '../../generated/prisma/client';
import { type AccountName, announce } from './accounts';
import type { Passwords } from './passwords';
import { type Actor, BY_ADMIN, auditRow } from '../audit/audit-entry';
import { SHOWN, publishEndings } from '../keys/stored-key';
import { endSessions } from '../sessions/end-sessions';

interface PasswordChange {
  passwordHash: string;
  action: 'password_changed' | 'password_reset';
  /** The session that stays open. */
  keepSessionId?: string;
  /** Whether API keys keep working. */
  keepKeys: boolean;
}

/**
 * Sets a password and ends the sessions of the account, and its keys unless they are kept, in the caller's
 * transaction. It also invalidates other password codes.
 */
export async function setPassword(
  tx: Prisma.TransactionClient,
  accountId: string,
  { passwordHash, action, keepSessionId, keepKeys }: PasswordChange,
  by: Actor,
): Promise<{ email: string }> {
  // The holder of the mailed code, or the operator's confirmation, proves the address.
  const verified = action === 'password_reset' ? { emailVerifiedAt: new Date(), expiresAt: null } : {};
  const before = await tx.account.findUniqueOrThrow({ where: { id: accountId } });
  const account = await tx.account.update({ where: { id: accountId }, data: { passwordHash, ...verified } });
  // Other services were not notified of an account that was never confirmed.
  if (before.expiresAt !== null) await announce(tx, account);
  await endLogIns(tx, accountId, action, keepSessionId);
  if (!keepKeys) await revokeAllKeys(tx, accountId);
  await tx.mailToken.deleteMany({ where: { accountId, purpose: 'reset_password' } });
  // An approved device would still become a key.
  await tx.deviceCode.deleteMany({ where: { accountId } });
  const details: Record<string, string> = keepKeys ? {} : { keys: 'revoked' };
  await tx.auditEntry.create({ data: auditRow({ accountId, action, details, ...by }) });
  return account;
}

async function endLogIns(
  tx: Prisma.TransactionClient,
  accountId: string,
  ending: SessionEnding,
  keepSessionId = '',
): Promise<void> {
  await endSessions(tx, ending, Prisma.sql`account_id = ${accountId} AND id <> ${keepSessionId}`);
  await tx.device.deleteMany({ where: { accountId } });
}

/** Ends all sessions and keys, because another person may have opened them before the address was confirmed. */
export async function endAccess(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  await endLogIns(tx, accountId, 'address_confirmed');
  await revokeAllKeys(tx, accountId);
}

async function revokeAllKeys(tx: Prisma.TransactionClient, accountId: string): Promise<void> {
  const revoked = await tx.apiKey.updateManyAndReturn({
    where: { accountId, revokedAt: null },
    data: { revokedAt: new Date() },
    select: SHOWN,
  });
  await publishEndings(tx, revoked);
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
    setPassword(tx, account.id, { passwordHash, action: 'password_reset', keepKeys: true }, BY_ADMIN),
  );
  return { id: account.id, email, password };
}

/**
 * Gives a demo account this password.
 * @returns false when it has it already
 */
export async function ensurePassword(
  prisma: PrismaClient,
  accountId: string,
  passwords: Passwords,
  password: string,
): Promise<boolean> {
  const known = await prisma.account.findUniqueOrThrow({ where: { id: accountId } });
  // No person reads mails to this address.
  if (!known.emailVerifiedAt)
    await prisma.account.update({ where: { id: accountId }, data: { emailVerifiedAt: new Date() } });
  if (await passwords.isRight(known.passwordHash, password)) return false;
  const passwordHash = await passwords.hash(password);
  await prisma.$transaction((tx) =>
    setPassword(tx, accountId, { passwordHash, action: 'password_reset', keepKeys: true }, BY_ADMIN),
  );
  return true;
}
