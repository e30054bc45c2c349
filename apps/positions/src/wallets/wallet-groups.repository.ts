import { Injectable } from '@nestjs/common';
import { MOST_WALLET_GROUPS, Problem, type WalletGroup, invalidRequest, newId } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox, outgoing } from '@plimsoll/event-bus';
import { Clock, currentCorrelation, inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { lockAccount } from './wallet-cap';
import { WALLET_COLUMNS, type WalletRow, walletEvent } from './wallet-row';

interface GroupRow extends Omit<WalletGroup, 'createdAt'> {
  createdAt: Date;
}

const COLUMNS = `id, name, created_at AS "createdAt", (
  SELECT count(*)::int FROM watched_wallets AS wallet
  WHERE wallet.account_id = own.account_id AND wallet.group_ids @> ARRAY[own.id]) AS "walletCount"`;

/** Groups of watched wallets. Every change locks the account. */
@Injectable()
export class WalletGroupsRepository {
  constructor(
    private readonly pool: Pool,
    private readonly clock: Clock,
  ) {}

  /** All of the account, by name. */
  async list(accountId: string): Promise<WalletGroup[]> {
    const { rows } = await this.pool.query<GroupRow>(
      `SELECT ${COLUMNS} FROM wallet_groups AS own WHERE account_id = $1 ORDER BY name`,
      [accountId],
    );
    return rows.map(groupOf);
  }

  /** @throws quota_reached; conflict for the name of another group */
  async create(tx: PoolClient, accountId: string, name: string): Promise<WalletGroup> {
    await lockAccount(tx, accountId);
    const { rows } = await tx.query<{ count: number; isTaken: boolean | null }>(
      'SELECT count(*)::int AS count, bool_or(name = $2) AS "isTaken" FROM wallet_groups WHERE account_id = $1',
      [accountId, name],
    );
    if (rows[0]?.isTaken) throw nameTaken();
    if (rows[0]!.count >= MOST_WALLET_GROUPS)
      throw new Problem(
        'quota_reached',
        `An account may have ${MOST_WALLET_GROUPS} wallet groups. Delete one of them.`,
      );
    const id = newId('wgr');
    const createdAt = new Date(this.clock.now());
    await tx.query('INSERT INTO wallet_groups (id, account_id, name, created_at) VALUES ($1, $2, $3, $4)', [
      id,
      accountId,
      name,
      createdAt,
    ]);
    return groupOf({ id, name, createdAt, walletCount: 0 });
  }

  /**
   * Null without such a group of the account.
   * @throws conflict for the name of another group
   */
  rename(accountId: string, id: string, name: string): Promise<WalletGroup | null> {
    return inTransaction(this.pool, async (tx) => {
      await lockAccount(tx, accountId);
      const { rows: found } = await tx.query<{ id: string }>(
        'SELECT id FROM wallet_groups WHERE account_id = $1 AND (id = $2 OR name = $3)',
        [accountId, id, name],
      );
      if (!found.some((group) => group.id === id)) return null;
      if (found.length > 1) throw nameTaken();
      const { rows } = await tx.query<GroupRow>(
        `UPDATE wallet_groups AS own SET name = $3 WHERE account_id = $1 AND id = $2 RETURNING ${COLUMNS}`,
        [accountId, id, name],
      );
      return groupOf(rows[0]!);
    });
  }

  /** Its wallets stay watched. Returns false without such a group of the account. */
  delete(accountId: string, id: string): Promise<boolean> {
    return inTransaction(this.pool, async (tx) => {
      await lockAccount(tx, accountId);
      const { rowCount } = await tx.query('DELETE FROM wallet_groups WHERE account_id = $1 AND id = $2', [
        accountId,
        id,
      ]);
      if (rowCount === 0) return false;
      const { rows } = await tx.query<WalletRow>(
        `UPDATE watched_wallets SET group_ids = array_remove(group_ids, $2)
         WHERE account_id = $1 AND group_ids @> ARRAY[$2] RETURNING ${WALLET_COLUMNS}`,
        [accountId, id],
      );
      const correlation = currentCorrelation();
      await appendToOutbox(
        tx,
        rows.map((row) => outgoing('wallet.v1', walletEvent(row), correlation)),
      );
      return true;
    });
  }
}

/** @throws invalid_request unless all groups belong to the account, whose row is locked */
export async function requireGroups(
  tx: SqlExecutor,
  accountId: string,
  ids: readonly string[],
): Promise<void> {
  if (ids.length === 0) return;
  const { rows } = await tx.query<{ id: string }>(
    'SELECT id FROM wallet_groups WHERE account_id = $1 AND id = ANY($2)',
    [accountId, ids],
  );
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.flatMap((id, at) => (known.has(id) ? [] : [unknownGroup(`walletGroupIds[${at}]`)]));
  if (unknown.length > 0) throw invalidRequest(unknown);
}

/** The mistake of a field that names no group of the account. */
export const unknownGroup = (field: string): { field: string; code: string; message: string } => ({
  field,
  code: 'unknown_wallet_group',
  message: 'Name a wallet group of this account. GET /v1/wallet-groups lists them.',
});

const nameTaken = (): Problem =>
  new Problem('conflict', 'Another wallet group of this account has this name. Choose another one.');

const groupOf = ({ createdAt, ...group }: GroupRow): WalletGroup => ({
  ...group,
  createdAt: createdAt.toISOString(),
});
