import { type ApiKeyKind, TIER_LIMITS, generateApiKey, hashApiKey } from '@plimsoll/access';
import { Problem, type Scope, type Tier, newId, notFound } from '@plimsoll/contracts';
import { type Actor, auditRow } from '../audit/audit-entry';
import type { Prisma, PrismaClient } from '../../generated/prisma/client';
import { publishEndings } from './key-events';

const HINT_LENGTH = 'psk_live_'.length + 4;

/** Columns of a key that may be shown. The key itself is never among them. */
export const SHOWN = {
  id: true,
  accountId: true,
  hint: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  lastUsedAt: true,
  revokedAt: true,
  replacedById: true,
} satisfies Prisma.ApiKeySelect;
export type ShownKey = Prisma.ApiKeyGetPayload<{ select: typeof SHOWN }>;

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  kind: ApiKeyKind;
}

/** Keys that count toward the tier's cap. A rotated key has passed its place to its successor. */
const usesKeySlot = (now: Date): Prisma.ApiKeyWhereInput => ({
  revokedAt: null,
  replacedById: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

/** API keys of accounts. Only a SHA-256 of a key is stored. */
export class AccountKeys {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly randomBytes: (size: number) => Uint8Array,
  ) {}

  /**
   * Creates a key. Only this result contains `key`.
   * @throws Problem not_found without such an account, quota_reached at the tier's number of keys
   */
  create(accountId: string, { kind, ...wanted }: NewKey, by: Actor): Promise<ShownKey & { key: string }> {
    return this.prisma.$transaction(async (tx) => {
      const tier = await lockAccount(tx, accountId);
      const { keys: cap } = TIER_LIMITS[tier];
      const taken = await tx.apiKey.count({ where: { accountId, ...usesKeySlot(new Date()) } });
      if (cap !== null && taken >= cap) {
        const detail = `The ${tier} tier has ${cap} ${cap === 1 ? 'key' : 'keys'}, and this account has ${taken}. Revoke one, or raise the tier.`;
        throw new Problem('quota_reached', detail);
      }
      const key = generateApiKey(kind, this.randomBytes);
      const stored = { ...wanted, scopes: [...wanted.scopes], accountId };
      const shown = await tx.apiKey.create({ data: { ...keyColumns(key), ...stored }, select: SHOWN });
      const details = { keyId: shown.id, name: shown.name };
      await tx.auditEntry.create({ data: auditRow({ accountId, action: 'key_created', details, ...by }) });
      await publishEndings(tx, [shown]);
      return { ...shown, key };
    });
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
   * @param accountId restricts it to keys of this account
   * @throws Problem not_found
   */
  revoke(id: string, by: Actor, accountId?: string): Promise<ShownKey> {
    return this.prisma.$transaction(async (tx) => {
      const where = { id, ...(accountId !== undefined && { accountId }) };
      const data = { revokedAt: new Date() };
      const { count } = await tx.apiKey.updateMany({ where: { ...where, revokedAt: null }, data });
      const key = await tx.apiKey.findFirst({ where, select: SHOWN });
      if (!key) throw notFound('key');
      const details = { keyId: id, name: key.name };
      const entry = { accountId: key.accountId, action: 'key_revoked' as const, details, ...by };
      if (count === 0) return key;
      await tx.auditEntry.create({ data: auditRow(entry) });
      await publishEndings(tx, [key]);
      return key;
    });
  }
}

/** Returns the stored columns of a key. */
export const keyColumns = (key: string) => ({
  id: newId('key'),
  keyHash: hashApiKey(key),
  hint: key.slice(0, HINT_LENGTH),
});

/** @throws Problem not_found */
export async function lockAccount(tx: Prisma.TransactionClient, id: string): Promise<Tier> {
  const [account] = await tx.$queryRaw<
    { tier: Tier }[]
  >`SELECT tier FROM accounts WHERE id = ${id} FOR UPDATE`;
  if (!account) throw notFound('account');
  return account.tier;
}
