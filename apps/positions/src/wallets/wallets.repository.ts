import { Inject, Injectable } from '@nestjs/common';
import { walletKey } from '@plimsoll/contracts';
import { appendToOutbox, outgoing, tombstone } from '@plimsoll/event-bus';
import { currentCorrelation, inTransaction } from '@plimsoll/service-kit';
import { Pool, type PoolClient } from 'pg';
import { PrismaClient } from '../generated/prisma/client';
import { applyCaps, lockAccount } from './wallet-cap';
import { WALLET_COLUMNS, type WalletRow, walletEvent } from './wallet-row';

/** The end of a page of the list. */
export interface WalletPosition {
  watchedSince: Date;
  address: string;
}

/** Watched wallets with their events: each change and its wallet.v1 are one transaction. */
@Injectable()
export class WalletsRepository {
  constructor(
    @Inject(Pool) private readonly pool: Pool,
    private readonly prisma: PrismaClient,
  ) {}

  /** Newest first. */
  list(accountId: string, limit: number, after: WalletPosition | null): Promise<WalletRow[]> {
    return this.prisma.watchedWallet.findMany({
      where: {
        accountId,
        ...(after && {
          OR: [
            { watchedSince: { lt: after.watchedSince } },
            { watchedSince: after.watchedSince, address: { gt: after.address } },
          ],
        }),
      },
      orderBy: [{ watchedSince: 'desc' }, { address: 'asc' }],
      take: limit,
    });
  }

  async enabledAddresses(accountId: string): Promise<string[]> {
    const rows = await this.prisma.watchedWallet.findMany({
      where: { accountId, enabled: true },
      select: { address: true },
    });
    return rows.map(({ address }) => address);
  }

  /**
   * The watched wallet, new or existing. Null when the cap (null: none) is reached.
   * @param label undefined: the wallet keeps its name; '': it has none
   */
  async watch(
    tx: PoolClient,
    { accountId, address, label }: Pick<WalletRow, 'accountId' | 'address'> & { label?: string | undefined },
    cap: number | null,
  ): Promise<{ wallet: WalletRow; isNew: boolean } | null> {
    await lockAccount(tx, accountId);
    const known = await this.find(tx, accountId, address);
    const name = label === undefined ? (known?.label ?? null) : label || null;
    if (known) return { wallet: await this.named(tx, known, name), isNew: false };
    if (cap !== null && (await this.count(tx, accountId)) >= cap) return null;
    // Not now(): that is the start of the transaction, before it waited for the lock.
    const { rows } = await tx.query<WalletRow>(
      `INSERT INTO watched_wallets (account_id, address, watched_since, label) VALUES ($1, $2, clock_timestamp(), $3)
       RETURNING ${WALLET_COLUMNS}`,
      [accountId, address, name],
    );
    const wallet = rows[0] as WalletRow;
    await appendToOutbox(tx, [outgoing('wallet.v1', walletEvent(wallet), currentCorrelation())]);
    return { wallet, isNew: true };
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

  /** The wallet under a name, with its event if the name is another one. */
  private async named(tx: PoolClient, wallet: WalletRow, label: string | null): Promise<WalletRow> {
    if (label === wallet.label) return wallet;
    await tx.query('UPDATE watched_wallets SET label = $3 WHERE account_id = $1 AND address = $2', [
      wallet.accountId,
      wallet.address,
      label,
    ]);
    const named = { ...wallet, label };
    await appendToOutbox(tx, [outgoing('wallet.v1', walletEvent(named), currentCorrelation())]);
    return named;
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
