import { Inject, Injectable } from '@nestjs/common';
import { walletKey } from '@plimsoll/contracts';
import { appendToOutbox, outgoing, tombstone } from '@plimsoll/event-bus';
import { Conditions, currentCorrelation, inTransaction, type Statement } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import { applyCaps, lockAccount } from './wallet-cap';
import { requireGroups } from './wallet-groups.repository';
import { WALLET_COLUMNS, type WalletRow, walletEvent } from './wallet-row';

/** The end of a page of the list. */
export interface WalletPosition {
  watchedSince: Date;
  address: string;
}

/** Changes that an account makes to a wallet. Absent: no change. */
export interface WalletChanges {
  /** Empty: it has no name. */
  label?: string | undefined;
  groupIds?: string[] | undefined;
}

/**
 * The wallets of a group, for FROM. No index has the account and the group, so the index of the groups finds them:
 * with OFFSET 0, Postgres does not read all wallets of the account instead.
 * @param group the parameter of its id
 */
export const walletsOfGroup = (group: string): string =>
  `(SELECT * FROM watched_wallets WHERE group_ids @> ARRAY[${group}] OFFSET 0) AS of_group`;

const ENABLED_IN_GROUP = `
SELECT ARRAY(SELECT address FROM ${walletsOfGroup('$2')} WHERE account_id = $1 AND enabled) AS addresses
FROM wallet_groups WHERE account_id = $1 AND id = $2`;

/** Watched wallets with their events: each change and its wallet.v1 are one transaction. */
@Injectable()
export class WalletsRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Newest first. */
  async list(
    accountId: string,
    groupId: string | undefined,
    limit: number,
    after: WalletPosition | null,
  ): Promise<WalletRow[]> {
    const { text, values } = listSql(accountId, groupId, limit, after);
    return (await this.pool.query<WalletRow>(text, values)).rows;
  }

  /** Null without such a group of the account. */
  async enabledInGroup(accountId: string, groupId: string): Promise<string[] | null> {
    const { rows } = await this.pool.query<{ addresses: string[] }>(ENABLED_IN_GROUP, [accountId, groupId]);
    return rows[0]?.addresses ?? null;
  }

  async enabledAddresses(accountId: string): Promise<string[]> {
    const rows = await this.prisma.watchedWallet.findMany({
      where: { accountId, enabled: true },
      select: { address: true },
    });
    return rows.map(({ address }) => address);
  }

  /** The watched wallet, new or existing. Null when the cap (null: none) is reached. */
  async watch(
    tx: PoolClient,
    { accountId, address }: Pick<WalletRow, 'accountId' | 'address'>,
    changes: WalletChanges,
    cap: number | null,
  ): Promise<{ wallet: WalletRow; isNew: boolean } | null> {
    await lockAccount(tx, accountId);
    return this.watchLocked(tx, { accountId, address }, changes, cap);
  }

  /** As `watch`, for an account whose row is locked. */
  async watchLocked(
    tx: PoolClient,
    { accountId, address }: Pick<WalletRow, 'accountId' | 'address'>,
    changes: WalletChanges,
    cap: number | null,
  ): Promise<{ wallet: WalletRow; isNew: boolean } | null> {
    const known = await this.find(tx, accountId, address);
    if (known) return { wallet: await this.changed(tx, known, changes), isNew: false };
    if (cap !== null && (await this.count(tx, accountId)) >= cap) return null;
    const { label = '', groupIds = [] } = changes;
    await requireGroups(tx, accountId, groupIds);
    // Not now(): that is the start of the transaction, before it waited for the lock.
    const { rows } = await tx.query<WalletRow>(
      `INSERT INTO watched_wallets (account_id, address, watched_since, label, group_ids)
       VALUES ($1, $2, clock_timestamp(), $3, $4) RETURNING ${WALLET_COLUMNS}`,
      [accountId, address, label || null, groupIds],
    );
    const wallet = rows[0] as WalletRow;
    await appendToOutbox(tx, [outgoing('wallet.v1', walletEvent(wallet), currentCorrelation())]);
    return { wallet, isNew: true };
  }

  /** Null when it is not watched. */
  update(accountId: string, address: string, changes: WalletChanges): Promise<WalletRow | null> {
    return inTransaction(this.pool, async (tx) => {
      await lockAccount(tx, accountId);
      const known = await this.find(tx, accountId, address);
      return known ? this.changed(tx, known, changes) : null;
    });
  }

  /** False when it was not watched. The oldest wallet that the cap had disabled takes its place. */
  unwatch(accountId: string, address: string, cap: number | null): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      await lockAccount(tx, accountId);
      const { rowCount } = await tx.query(
        'DELETE FROM watched_wallets WHERE account_id = $1 AND address = $2',
        [accountId, address],
      );
      if (rowCount === 0) return false;
      const correlation = currentCorrelation();
      await appendToOutbox(tx, [tombstone('wallet.v1', walletKey(accountId, address), correlation)]);
      await applyCaps(tx, [{ accountId, cap }], correlation);
      return true;
    });
  }

  /** The wallet with the changes, and with its event if there are any. */
  private async changed(tx: PoolClient, wallet: WalletRow, changes: WalletChanges): Promise<WalletRow> {
    const label = changes.label === undefined ? wallet.label : changes.label || null;
    const groupIds = changes.groupIds ?? wallet.groupIds;
    const isSame = (ids: readonly string[]): boolean => ids.toSorted().join() === groupIds.toSorted().join();
    if (label === wallet.label && isSame(wallet.groupIds)) return wallet;
    if (changes.groupIds) await requireGroups(tx, wallet.accountId, groupIds);
    await tx.query(
      'UPDATE watched_wallets SET label = $3, group_ids = $4 WHERE account_id = $1 AND address = $2',
      [wallet.accountId, wallet.address, label, groupIds],
    );
    const updated = { ...wallet, label, groupIds };
    await appendToOutbox(tx, [outgoing('wallet.v1', walletEvent(updated), currentCorrelation())]);
    return updated;
  }

  private async find(tx: PoolClient, accountId: string, address: string): Promise<WalletRow | undefined> {
    const { rows } = await tx.query<WalletRow>(
      `SELECT ${WALLET_COLUMNS} FROM watched_wallets WHERE account_id = $1 AND address = $2`,
      [accountId, address],
    );
    return rows[0];
  }

  private async count(tx: PoolClient, accountId: string): Promise<number> {
    const { rows } = await tx.query<{ count: number }>(
      'SELECT count(*)::int AS count FROM watched_wallets WHERE account_id = $1',
      [accountId],
    );
    return rows[0]?.count ?? 0;
  }
}

/** The query of a page. That of a group reads all wallets of the group, because no index has its order. */
export function listSql(
  accountId: string,
  groupId: string | undefined,
  limit: number,
  after: WalletPosition | null,
): Statement {
  const conditions = new Conditions();
  const from = groupId === undefined ? 'watched_wallets' : walletsOfGroup(conditions.parameter(groupId));
  conditions.equal('account_id', accountId);
  if (after) {
    const [since, address] = [conditions.parameter(after.watchedSince), conditions.parameter(after.address)];
    // With this condition, the scan of the index begins at the cursor.
    conditions.add(`watched_since <= ${since}`);
    conditions.add(`(watched_since < ${since} OR address > ${address})`);
  }
  const text = `SELECT ${WALLET_COLUMNS} FROM ${from} WHERE ${conditions.sql}
    ORDER BY watched_since DESC, address LIMIT ${conditions.parameter(limit)}`;
  return { text, values: conditions.values };
}
