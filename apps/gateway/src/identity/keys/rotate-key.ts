import { generateApiKey } from '@plimsoll/access';
import { Problem, notFound } from '@plimsoll/contracts';
import { type Actor, auditRow } from '../audit/audit-entry';
import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import { SHOWN, type ShownKey, keyColumns, lockAccount } from './account-keys';
import { publishEndings } from './key-events';

const HOUR_MS = 3_600_000;

/** Names a key, with `accountId` when it must belong to this account. */
export interface KeyName {
  id: string;
  accountId?: string;
}

export interface Rotation {
  /** The new key. Only this result contains `key`. */
  key: ShownKey & { key: string };
  replaced: ShownKey;
}

/**
 * Creates a key that replaces another, which keeps working for the overlap. The new key has the same name,
 * scopes and place under the tier's cap, and the lifetime of the old one. At most one predecessor of a key
 * works.
 * @throws Problem not_found; conflict when the key is already revoked, expired or rotated
 */
export function rotateKey(
  prisma: PrismaClient,
  name: KeyName,
  overlapHours: number,
  by: Actor,
  randomBytes: (size: number) => Uint8Array,
): Promise<Rotation> {
  return prisma.$transaction(async (tx) => {
    const owner = await tx.apiKey.findFirst({ where: { ...name }, select: { accountId: true } });
    if (!owner) throw notFound('key');
    await lockAccount(tx, owner.accountId);
    const now = new Date();
    const old = await tx.apiKey.findUniqueOrThrow({ where: { id: name.id } });
    refuseEndedKey(old, now);

    const { accountId, scopes, heldSince } = old;
    const key = generateApiKey(old.hint.startsWith('psk_demo_') ? 'demo' : 'live', randomBytes);
    const expiresAt = old.expiresAt && new Date(now.getTime() + lifeMs(old.createdAt, old.expiresAt));
    const made = await tx.apiKey.create({
      data: { ...keyColumns(key), accountId, name: old.name, scopes, heldSince, createdAt: now, expiresAt },
      select: SHOWN,
    });
    const before = await tx.apiKey.updateManyAndReturn({
      where: { replacedById: old.id, expiresAt: { gt: now } },
      data: { expiresAt: now },
      select: SHOWN,
    });
    const end = new Date(now.getTime() + overlapHours * HOUR_MS);
    const replaced = await tx.apiKey.update({
      where: { id: old.id },
      data: { replacedById: made.id, expiresAt: old.expiresAt && old.expiresAt < end ? old.expiresAt : end },
      select: SHOWN,
    });
    const details = { keyId: old.id, name: old.name, replacedBy: made.id };
    await tx.auditEntry.create({ data: auditRow({ accountId, action: 'key_rotated', details, ...by }) });
    await publishEndings(tx, [...before, replaced, made]);
    return { key: { ...made, key }, replaced };
  });
}

const lifeMs = (from: Date, to: Date): number => to.getTime() - from.getTime();

function refuseEndedKey(key: Prisma.ApiKeyGetPayload<object>, now: Date): void {
  if (key.replacedById !== null) {
    throw new Problem('conflict', `This key was rotated already. Rotate ${key.replacedById} instead.`);
  }
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    throw new Problem('conflict', 'This key is revoked or expired. Create another one.');
  }
}
