import { Problem, type Tier, newId, notFound } from '@plimsoll/contracts';
import { appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { inTransaction } from '@plimsoll/service-kit';
import type { Pool, PoolClient } from 'pg';
import { type Actor, BY_ADMIN, appendAudit } from '../audit/audit-entry';
import { type Account, toAccountV1 } from './account';

const COLUMNS =
  'id, email, tier, requests_per_minute AS "requestsPerMinute", created_at AS "createdAt", updated_at AS "updatedAt"';

/** Settings of an account. */
export interface AccountTerms {
  tier: Tier;
  /** Null means the tier's limit. Only enterprise accounts have their own. */
  requestsPerMinute: number | null;
}

/** Names an account by its id or its e-mail address. */
export type AccountName = { id: string } | { email: string };

/** Accounts. Every change and its account.v1 event are one transaction. */
export class Accounts {
  constructor(private readonly pool: Pool) {}

  /** Creates an open account for a sign-up. Returns null when the e-mail address has an account. */
  signUp(email: string, passwordHash: string, by: Actor): Promise<Account | null> {
    const terms: AccountTerms = { tier: 'open', requestsPerMinute: null };
    return inTransaction(this.pool, async (tx) => (await insert(tx, email, terms, by, passwordHash)) ?? null);
  }

  /** @throws Problem conflict when the e-mail address has an account */
  create(email: string, terms: AccountTerms): Promise<Account> {
    return inTransaction(this.pool, async (tx) => {
      const created = await insert(tx, email, terms, BY_ADMIN);
      if (created) return created;
      throw new Problem('conflict', `${email} has an account already. Change it with accounts set-tier.`);
    });
  }

  /** @throws Problem not_found */
  change(name: AccountName, terms: AccountTerms): Promise<Account> {
    return inTransaction(this.pool, async (tx) => {
      const account = await lock(tx, name);
      if (!account) throw notFound('account');
      return update(tx, account, terms);
    });
  }

  /** Creates the account, or changes its settings when they differ. */
  ensure(email: string, terms: AccountTerms): Promise<{ account: Account; isChanged: boolean }> {
    return inTransaction(this.pool, async (tx) => {
      const created = await insert(tx, email, terms, BY_ADMIN);
      if (created) return { account: created, isChanged: true };
      const account = await lock(tx, { email });
      if (!account) throw notFound('account');
      const isSame = account.tier === terms.tier && account.requestsPerMinute === terms.requestsPerMinute;
      if (isSame) return { account, isChanged: false };
      return { account: await update(tx, account, terms), isChanged: true };
    });
  }
}

async function insert(
  tx: PoolClient,
  email: string,
  terms: AccountTerms,
  by: Actor,
  passwordHash: string | null = null,
): Promise<Account | undefined> {
  const { rows } = await tx.query<Account>(
    `INSERT INTO accounts (id, email, tier, requests_per_minute, password_hash) VALUES ($1, $2, $3, $4, $5)
     ON CONFLICT (email) DO NOTHING RETURNING ${COLUMNS}`,
    [newId('acc'), email, terms.tier, terms.requestsPerMinute, passwordHash],
  );
  const [account] = rows;
  if (!account) return undefined;
  const details = { tier: terms.tier };
  await appendAudit(tx, { accountId: account.id, action: 'account_created', details, ...by });
  return publish(tx, account);
}

async function update(tx: PoolClient, { id, tier }: Account, terms: AccountTerms): Promise<Account> {
  const { rows } = await tx.query<Account>(
    `UPDATE accounts SET tier = $2, requests_per_minute = $3, updated_at = now() WHERE id = $1 RETURNING ${COLUMNS}`,
    [id, terms.tier, terms.requestsPerMinute],
  );
  if (!rows[0]) throw notFound('account');
  const details = { from: tier, to: terms.tier };
  await appendAudit(tx, { accountId: id, action: 'tier_changed', details, ...BY_ADMIN });
  return publish(tx, rows[0]);
}

async function lock(tx: PoolClient, name: AccountName): Promise<Account | undefined> {
  const [column, value] = 'id' in name ? ['id', name.id] : ['email', name.email];
  const { rows } = await tx.query<Account>(
    `SELECT ${COLUMNS} FROM accounts WHERE ${column} = $1 FOR UPDATE`,
    [value],
  );
  return rows[0];
}

async function publish(tx: PoolClient, account: Account): Promise<Account> {
  await appendToOutbox(tx, [outgoing('account.v1', toAccountV1(account))]);
  return account;
}
