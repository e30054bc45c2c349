import { Injectable } from '@nestjs/common';
import { TIER_LIMITS } from '@plimsoll/access';
import { type AccountV1, Problem, type Tier, newId, notFound } from '@plimsoll/contracts';
import { outgoing } from '@plimsoll/event-bus';
import { type Prisma, PrismaClient } from '../../generated/prisma/client';
import { type Actor, BY_ADMIN, auditRow } from '../audit/audit-entry';
import { lockAccount, publish } from '../database/prisma';

const COLUMNS = {
  id: true,
  email: true,
  tier: true,
  requestsPerMinute: true,
  createdAt: true,
  updatedAt: true,
} satisfies Prisma.AccountSelect;
export type Account = Prisma.AccountGetPayload<{ select: typeof COLUMNS }>;

/** Settings of an account. */
export interface AccountTerms {
  tier: Tier;
  /** Null means the tier's limit. Only enterprise accounts have their own. */
  requestsPerMinute: number | null;
}

/** Names an account by its id or its e-mail address. */
export type AccountName = { id: string } | { email: string };

/** Returns the limits of an account: its tier's caps, and its own rate if it has one. */
export function accountLimits({
  tier,
  requestsPerMinute,
}: Pick<Account, 'tier' | 'requestsPerMinute'>): AccountV1['limits'] {
  const limits = TIER_LIMITS[tier as Tier];
  return {
    requestsPerMinute: requestsPerMinute ?? limits.requestsPerMinute,
    requestsPerDay: limits.requestsPerDay,
    keys: limits.keys,
    webhooks: limits.webhooks,
    wallets: limits.wallets,
  };
}

/** Accounts. Every change and its account.v1 event are one transaction. */
@Injectable()
export class Accounts {
  constructor(private readonly prisma: PrismaClient) {}

  /** Creates an open account for a sign-up. Returns null when the e-mail address has an account. */
  signUp(email: string, passwordHash: string, by: Actor): Promise<Account | null> {
    return this.prisma.$transaction((tx) => insert(tx, { email, passwordHash, tier: 'open' }, by));
  }

  /**
   * Creates an open account without a password, unless the e-mail address has one. Other services are not
   * notified of it before its address is confirmed.
   * @param expiresAt when it is deleted
   */
  async reserve(email: string, expiresAt: Date, by: Actor): Promise<void> {
    await this.prisma.$transaction((tx) => insert(tx, { email, tier: 'open', expiresAt }, by));
  }

  /** @throws Problem conflict when the e-mail address has an account */
  create(email: string, terms: AccountTerms): Promise<Account> {
    return this.prisma.$transaction(async (tx) => {
      const created = await insert(tx, { email, ...terms }, BY_ADMIN);
      if (created) return created;
      throw new Problem('conflict', `${email} has an account already. Change it with accounts set-tier.`);
    });
  }

  /** @throws Problem not_found */
  change(name: AccountName, terms: AccountTerms): Promise<Account> {
    return this.prisma.$transaction(async (tx) => update(tx, await lock(tx, name), terms));
  }

  /** Creates the account, or changes its settings when they differ. */
  ensure(email: string, terms: AccountTerms): Promise<{ account: Account; isChanged: boolean }> {
    return this.prisma.$transaction(async (tx) => {
      const created = await insert(tx, { email, ...terms }, BY_ADMIN);
      if (created) return { account: created, isChanged: true };
      const account = await lock(tx, { email });
      const isSame = account.tier === terms.tier && account.requestsPerMinute === terms.requestsPerMinute;
      if (isSame) return { account, isChanged: false };
      return { account: await update(tx, account, terms), isChanged: true };
    });
  }
}

/** Returns null when the e-mail address has an account. */
async function insert(
  tx: Prisma.TransactionClient,
  values: Omit<Prisma.AccountCreateManyInput, 'id'>,
  by: Actor,
): Promise<Account | null> {
  const [account] = await tx.account.createManyAndReturn({
    data: [{ id: newId('acc'), ...values }],
    skipDuplicates: true,
    select: COLUMNS,
  });
  if (!account) return null;
  const details = { tier: account.tier };
  await tx.auditEntry.create({
    data: auditRow({ accountId: account.id, action: 'account_created', details, ...by }),
  });
  if (values.expiresAt == null) await announce(tx, account);
  return account;
}

async function update(
  tx: Prisma.TransactionClient,
  { id, tier }: Account,
  terms: AccountTerms,
): Promise<Account> {
  const data = { ...terms, updatedAt: new Date() };
  const account = await tx.account.update({ where: { id }, data, select: COLUMNS });
  const details = { from: tier, to: terms.tier };
  await tx.auditEntry.create({
    data: auditRow({ accountId: id, action: 'tier_changed', details, ...BY_ADMIN }),
  });
  // The operator has decided about it.
  await tx.planRequest.deleteMany({ where: { accountId: id } });
  await announce(tx, account);
  return account;
}

/** @throws Problem not_found */
async function lock(tx: Prisma.TransactionClient, name: AccountName): Promise<Account> {
  const found = await tx.account.findUnique({ where: name, select: { id: true } });
  if (!found) throw notFound('account');
  await lockAccount(tx, found.id);
  return tx.account.findUniqueOrThrow({ where: { id: found.id }, select: COLUMNS });
}

/** Publishes the account.v1 event of an account. */
export function announce(tx: Prisma.TransactionClient, account: Account): Promise<void> {
  const { id, tier, updatedAt } = account;
  const event: AccountV1 = {
    accountId: id,
    tier: tier as Tier,
    limits: accountLimits(account),
    updatedAt: updatedAt.toISOString(),
  };
  return publish(tx, [outgoing('account.v1', event)]);
}
