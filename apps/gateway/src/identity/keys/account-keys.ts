import { randomBytes } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { type ApiKeyKind, TIER_LIMITS, generateApiKey, tierWithMore } from '@plimsoll/access';
import { Problem, type Scope, type Tier, notFound } from '@plimsoll/contracts';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { type Actor, auditRow } from '../audit/audit-entry';
import { lockAccount } from '../database/prisma';
import { MOST_TEST_KEYS, SHOWN, type ShownKey, keyColumns, publishEndings } from './stored-key';

const HOUR_MS = 3_600_000;

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  kind: Exclude<ApiKeyKind, 'test'>;
  /** Makes a test key of this tier. Absent: a live key. */
  testTier?: Tier;
}

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

/** Keys that count toward the tier's cap. A rotated key has passed its place to its successor. */
const usesKeySlot = (now: Date): Prisma.ApiKeyWhereInput => ({
  revokedAt: null,
  replacedById: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

/** API keys of accounts. Only a SHA-256 of a key is stored. */
@Injectable()
export class AccountKeys {
  constructor(private readonly prisma: PrismaClient) {}

  /**
   * Creates a key. Only this result contains `key`.
   * @throws Problem not_found without such an account, quota_reached at the tier's number of keys
   */
  create(accountId: string, wanted: NewKey, by: Actor): Promise<ShownKey & { key: string }> {
    return this.prisma.$transaction((tx) => this.createIn(tx, accountId, wanted, by));
  }

  /** Creates a key as `create` does, in the caller's transaction. */
  async createIn(
    tx: Prisma.TransactionClient,
    accountId: string,
    { kind, ...wanted }: NewKey,
    by: Actor,
  ): Promise<ShownKey & { key: string }> {
    const tier = await lockAccount(tx, accountId);
    const isTest = wanted.testTier !== undefined;
    const cap = isTest ? MOST_TEST_KEYS : TIER_LIMITS[tier].keys;
    const ofMode = { testTier: isTest ? { not: null } : null };
    const taken = await tx.apiKey.count({ where: { accountId, ...ofMode, ...usesKeySlot(new Date()) } });
    if (isTest && taken >= MOST_TEST_KEYS)
      throw new Problem('quota_reached', `An account has at most ${MOST_TEST_KEYS} test keys. Revoke one.`);
    if (cap !== null && taken >= cap) {
      const detail = `The ${tier} tier has ${cap} ${cap === 1 ? 'key' : 'keys'}, and this account has ${taken}. Revoke one, or raise the tier.`;
      const requiredTier = tierWithMore(tier, 'keys');
      throw new Problem('quota_reached', detail, { ...(requiredTier && { requiredTier }) });
    }
    const key = generateApiKey(isTest ? 'test' : kind, randomBytes);
    const stored = { ...wanted, scopes: [...wanted.scopes], accountId };
    const shown = await tx.apiKey.create({ data: { ...keyColumns(key), ...stored }, select: SHOWN });
    const details = { keyId: shown.id, name: shown.name };
    await tx.auditEntry.create({ data: auditRow({ accountId, action: 'key_created', details, ...by }) });
    await publishEndings(tx, [shown]);
    return { ...shown, key };
  }

  /** Newest first, for one account or for all. */
  list(accountId?: string): Promise<ShownKey[]> {
    return this.prisma.apiKey.findMany({
      where: accountId === undefined ? {} : { accountId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: SHOWN,
    });
  }

  /**
   * Revokes a key permanently. A revoked key does not change.
   * @throws Problem not_found
   */
  revoke(name: KeyName, by: Actor): Promise<ShownKey> {
    return this.prisma.$transaction(async (tx) => {
      const data = { revokedAt: new Date() };
      const { count } = await tx.apiKey.updateMany({ where: { ...name, revokedAt: null }, data });
      const key = await tx.apiKey.findFirst({ where: { ...name }, select: SHOWN });
      if (!key) throw notFound('key');
      if (count === 0) return key;
      const details = { keyId: key.id, name: key.name };
      const entry = { accountId: key.accountId, action: 'key_revoked' as const, details, ...by };
      await tx.auditEntry.create({ data: auditRow(entry) });
      await publishEndings(tx, [key]);
      return key;
    });
  }

  /**
   * Creates a key that replaces another, which keeps working for the overlap. The new key has the same name,
   * scopes and place under the tier's cap, and the lifetime of the old one. At most one predecessor of a key
   * works.
   * @throws Problem not_found; conflict when the key is already revoked, expired or rotated
   */
  rotate(name: KeyName, overlapHours: number, by: Actor): Promise<Rotation> {
    return this.prisma.$transaction(async (tx) => {
      const owner = await tx.apiKey.findFirst({ where: { ...name }, select: { accountId: true } });
      if (!owner) throw notFound('key');
      await lockAccount(tx, owner.accountId);
      const now = new Date();
      const old = await tx.apiKey.findUniqueOrThrow({ where: { id: name.id } });
      refuseEndedKey(old, now);

      const { accountId, scopes, heldSince, testTier } = old;
      const key = generateApiKey(kindOf(old), randomBytes);
      const lifeMs = old.expiresAt && old.expiresAt.getTime() - old.createdAt.getTime();
      const expiresAt = lifeMs === null ? null : new Date(now.getTime() + lifeMs);
      const made = await tx.apiKey.create({
        data: {
          ...keyColumns(key),
          accountId,
          name: old.name,
          scopes,
          testTier,
          heldSince,
          createdAt: now,
          expiresAt,
        },
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
        data: {
          replacedById: made.id,
          expiresAt: old.expiresAt && old.expiresAt < end ? old.expiresAt : end,
        },
        select: SHOWN,
      });
      const details = { keyId: old.id, name: old.name, replacedBy: made.id };
      await tx.auditEntry.create({ data: auditRow({ accountId, action: 'key_rotated', details, ...by }) });
      await publishEndings(tx, [...before, replaced, made]);
      return { key: { ...made, key }, replaced };
    });
  }
}

function kindOf({ testTier, hint }: Pick<ShownKey, 'testTier' | 'hint'>): ApiKeyKind {
  if (testTier !== null) return 'test';
  return hint.startsWith('psk_demo_') ? 'demo' : 'live';
}

function refuseEndedKey(key: Prisma.ApiKeyGetPayload<object>, now: Date): void {
  if (key.replacedById !== null) {
    throw new Problem('conflict', `This key was rotated already. Rotate ${key.replacedById} instead.`);
  }
  if (key.revokedAt !== null || (key.expiresAt !== null && key.expiresAt <= now)) {
    throw new Problem('conflict', 'This key is revoked or expired. Create another one.');
  }
}
