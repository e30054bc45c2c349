import { type ApiKeyKind, TIER_LIMITS, generateApiKey, hashApiKey } from '@plimsoll/access';
import { Problem, SCOPES, type Scope, type Tier, newId, notFound } from '@plimsoll/contracts';
import type { Prisma, PrismaClient } from '../generated/prisma/client';

const HINT_LENGTH = 'psk_live_'.length + 4;

/** A key as it can be shown: never the key itself. */
const SHOWN = {
  id: true,
  accountId: true,
  hint: true,
  name: true,
  scopes: true,
  createdAt: true,
  expiresAt: true,
  revokedAt: true,
} satisfies Prisma.ApiKeySelect;
export type ShownKey = Prisma.ApiKeyGetPayload<{ select: typeof SHOWN }>;

export interface NewKey {
  name: string;
  scopes: readonly Scope[];
  expiresAt: Date | null;
  kind: ApiKeyKind;
}

const isLive = (now: Date): Prisma.ApiKeyWhereInput => ({
  revokedAt: null,
  OR: [{ expiresAt: null }, { expiresAt: { gt: now } }],
});

/** API keys of accounts. Only a SHA-256 of a key is stored (decisions.md, Keys). */
export class AccountKeys {
  constructor(
    private readonly prisma: PrismaClient,
    private readonly randomBytes: (size: number) => Uint8Array,
  ) {}

  /**
   * Makes a key; `key` of the answer is the only time it is seen.
   * @throws Problem not_found without such an account, quota_reached at the tier's number of keys
   */
  create(accountId: string, { kind, ...wanted }: NewKey): Promise<ShownKey & { key: string }> {
    return this.prisma.$transaction(async (tx) => {
      const tier = await lockAccount(tx, accountId);
      const { keys: cap } = TIER_LIMITS[tier];
      const live = await tx.apiKey.count({ where: { accountId, ...isLive(new Date()) } });
      if (cap !== null && live >= cap) {
        const detail = `The ${tier} tier has ${cap} ${cap === 1 ? 'key' : 'keys'}, and this account has ${live}. Revoke one, or raise the tier.`;
        throw new Problem('quota_reached', detail);
      }
      const key = generateApiKey(kind, this.randomBytes);
      const stored = { ...wanted, scopes: [...wanted.scopes], accountId };
      return { ...(await tx.apiKey.create({ data: { ...row(key), ...stored }, select: SHOWN })), key };
    });
  }

  /** Newest first; of one account, or of all. */
  list(accountId?: string): Promise<ShownKey[]> {
    return this.prisma.apiKey.findMany({
      where: accountId === undefined ? {} : { accountId },
      orderBy: [{ createdAt: 'desc' }, { id: 'desc' }],
      select: SHOWN,
    });
  }

  /** Revokes for ever; a key that is revoked already stays as it is. @throws Problem not_found */
  async revoke(id: string): Promise<ShownKey> {
    await this.prisma.apiKey.updateMany({ where: { id, revokedAt: null }, data: { revokedAt: new Date() } });
    const key = await this.prisma.apiKey.findUnique({ where: { id }, select: SHOWN });
    if (!key) throw notFound('key');
    return key;
  }

  /**
   * Gives a demo account exactly this demo key, with all scopes; its other demo keys are revoked.
   * @throws Problem conflict when the key is another account's
   */
  ensureDemo(accountId: string, key: string): Promise<{ key: ShownKey; isChanged: boolean }> {
    return this.prisma.$transaction(async (tx) => {
      await lockAccount(tx, accountId);
      const { keyHash } = row(key);
      const others = await tx.apiKey.updateMany({
        where: { accountId, keyHash: { not: keyHash }, hint: { startsWith: 'psk_demo_' }, revokedAt: null },
        data: { revokedAt: new Date() },
      });
      const known = await tx.apiKey.findUnique({ where: { keyHash }, select: SHOWN });
      if (known && known.accountId !== accountId) {
        throw new Problem(
          'conflict',
          'This key is another account’s. Give each demo account a key of its own.',
        );
      }
      const isRight =
        known && !known.revokedAt && !known.expiresAt && SCOPES.every((each) => known.scopes.includes(each));
      if (isRight) return { key: known, isChanged: others.count > 0 };
      const terms = { scopes: [...SCOPES], revokedAt: null, expiresAt: null };
      const stored = await tx.apiKey.upsert({
        where: { keyHash },
        create: { ...row(key), ...terms, accountId, name: 'demo' },
        update: terms,
        select: SHOWN,
      });
      return { key: stored, isChanged: true };
    });
  }
}

const row = (key: string) => ({
  id: newId('key'),
  keyHash: hashApiKey(key),
  hint: key.slice(0, HINT_LENGTH),
});

async function lockAccount(tx: Prisma.TransactionClient, id: string): Promise<Tier> {
  const [account] = await tx.$queryRaw<
    { tier: Tier }[]
  >`SELECT tier FROM accounts WHERE id = ${id} FOR UPDATE`;
  if (!account) throw notFound('account');
  return account.tier;
}
