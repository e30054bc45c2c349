import { Problem, SCOPES } from '@plimsoll/contracts';
import type { PrismaClient } from '../../generated/prisma/client';
import { BY_ADMIN, auditRow } from '../audit/audit-entry';
import { lockAccount } from '../database/prisma';
import { SHOWN, type ShownKey, keyColumns, publishEndings } from './stored-key';

/**
 * Gives a demo account exactly this demo key, with all scopes, and revokes its other demo keys.
 * @throws Problem conflict when the key belongs to another account
 */
export function ensureDemoKey(
  prisma: PrismaClient,
  accountId: string,
  key: string,
): Promise<{ key: ShownKey; isChanged: boolean }> {
  return prisma.$transaction(async (tx) => {
    await lockAccount(tx, accountId);
    const { keyHash } = keyColumns(key);
    const others = await tx.apiKey.updateManyAndReturn({
      where: { accountId, keyHash: { not: keyHash }, hint: { startsWith: 'psk_demo_' }, revokedAt: null },
      data: { revokedAt: new Date() },
      select: SHOWN,
    });
    await publishEndings(tx, others);
    const known = await tx.apiKey.findUnique({ where: { keyHash }, select: SHOWN });
    if (known && known.accountId !== accountId) {
      throw new Problem(
        'conflict',
        'This key belongs to another account. Give each demo account its own key.',
      );
    }
    const isRight =
      known &&
      !known.revokedAt &&
      !known.expiresAt &&
      !known.replacedById &&
      SCOPES.every((each) => known.scopes.includes(each));
    if (isRight) return { key: known, isChanged: others.length > 0 };
    const terms = { scopes: [...SCOPES], revokedAt: null, expiresAt: null, replacedById: null };
    const stored = await tx.apiKey.upsert({
      where: { keyHash },
      create: { ...keyColumns(key), ...terms, accountId, name: 'demo' },
      update: terms,
      select: SHOWN,
    });
    const details = { keyId: stored.id, name: stored.name };
    const entry = { accountId, action: 'key_created' as const, details, ...BY_ADMIN };
    await tx.auditEntry.create({ data: auditRow(entry) });
    return { key: stored, isChanged: true };
  });
}
