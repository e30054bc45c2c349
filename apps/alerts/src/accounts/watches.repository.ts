import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';
import { columns, insertSql, replacing, runBulk } from '../infrastructure/bulk-rows';

const LOCK_KEY = `hashtextextended('plimsoll:alerts:watching', 0)`;

/** The latest known watch of one account and wallet. */
export interface WatchChange {
  accountId: string;
  wallet: string;
  watching: boolean;
  /** Name that the account gave to the wallet. */
  label: string | null;
  /** Wallet groups of the account that contain it. */
  groupIds: readonly string[];
  changedAtMs: number;
}

/** The accounts that watch a wallet, each with its name for the wallet. */
export type Watchers = ReadonlyMap<string, string | null>;

const COLUMNS = columns<WatchChange>({
  text: ['wallet', 'accountId', 'label'],
  boolean: ['watching'],
  time: ['changedAtMs'],
  jsonb: ['groupIds'],
});
const IS_NEWER = { where: 'known.changed_at <= excluded.changed_at' };
const APPLY = `${insertSql('watches', COLUMNS, replacing(COLUMNS, ['wallet', 'account_id'], IS_NEWER))}
  RETURNING wallet`;

/** Stores which accounts watch which wallets. */
@Injectable()
export class WatchesRepository {
  /**
   * Evaluations of positions take this lock first. Without it, a position and a new watch that are handled at
   * the same time would each miss the other.
   */
  async lockForReading(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`);
  }

  /** Changes of watchers take this lock first. It waits for running evaluations and blocks new ones. */
  async lockForWriting(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
  }

  /** Stores at most one change for each account and wallet. Returns the wallets whose watchers changed. */
  async apply(tx: SqlExecutor, changes: readonly WatchChange[]): Promise<string[]> {
    const rows = await runBulk<WatchChange, { wallet: string }>(tx, APPLY, COLUMNS, changes);
    return [...new Set(rows.map((row) => row.wallet))];
  }

  async walletsOf(tx: SqlExecutor, accountId: string): Promise<string[]> {
    const { rows } = await tx.query<{ wallet: string }>(
      'SELECT wallet FROM watches WHERE account_id = $1 AND watching',
      [accountId],
    );
    return rows.map(({ wallet }) => wallet);
  }

  /** Returns the accounts that watch each of the wallets. Wallets without watchers are absent. */
  async watchersOf(tx: SqlExecutor, wallets: readonly string[]): Promise<Map<string, Watchers>> {
    const { rows } = await tx.query<{ wallet: string; accounts: string[]; labels: (string | null)[] }>(
      `SELECT wallet, array_agg(account_id) AS accounts, array_agg(label) AS labels FROM watches
       WHERE wallet = ANY($1) AND watching GROUP BY wallet`,
      [wallets],
    );
    return new Map(
      rows.map(({ wallet, accounts, labels }) => [
        wallet,
        new Map(accounts.map((accountId, at) => [accountId, labels[at] ?? null])),
      ]),
    );
  }
}
