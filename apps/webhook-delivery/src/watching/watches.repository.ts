import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';

const LOCK_KEY = `hashtextextended('plimsoll:webhook-delivery:watching', 0)`;

/** The latest state of a watch of one account and wallet. */
export interface WatchChange {
  accountId: string;
  wallet: string;
  watching: boolean;
  /** Wallet groups that contain the wallet. Null: as before. */
  groupIds: readonly string[] | null;
  changedAtMs: number;
}

/** Watches of wallets by account. */
@Injectable()
export class WatchesRepository {
  /**
   * Call it first when you deliver events about positions. Otherwise a position and a new watch that are
   * handled at the same time would miss each other.
   */
  async lockForReading(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`);
  }

  /** Call it first when you change watches. */
  async lockForWriting(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
  }

  /** Stores changes, at most one for each account and wallet. Returns those that were new. */
  async apply(tx: SqlExecutor, changes: readonly WatchChange[]): Promise<WatchChange[]> {
    const { rows } = await tx.query<{ wallet: string; accountId: string }>(
      `INSERT INTO watches AS known (wallet, account_id, watching, changed_at, group_ids)
       SELECT wallet, account_id, watching, to_timestamp(changed_at_ms / 1000), coalesce(
         string_to_array(group_ids, ' '),
         (SELECT w.group_ids FROM watches w WHERE w.wallet = change.wallet AND w.account_id = change.account_id),
         '{}')
       FROM unnest($1::text[], $2::text[], $3::boolean[], $4::float8[], $5::text[])
         AS change (wallet, account_id, watching, changed_at_ms, group_ids)
       ORDER BY wallet, account_id
       ON CONFLICT (wallet, account_id) DO UPDATE
         SET watching = excluded.watching, changed_at = excluded.changed_at, group_ids = excluded.group_ids
         WHERE known.changed_at <= excluded.changed_at
       RETURNING wallet, account_id AS "accountId"`,
      [
        changes.map(({ wallet }) => wallet),
        changes.map(({ accountId }) => accountId),
        changes.map(({ watching }) => watching),
        changes.map(({ changedAtMs }) => changedAtMs),
        changes.map(({ groupIds }) => groupIds?.join(' ') ?? null),
      ],
    );
    const taken = new Set(rows.map(({ wallet, accountId }) => `${accountId}|${wallet}`));
    return changes.filter(({ wallet, accountId }) => taken.has(`${accountId}|${wallet}`));
  }

  /** Returns the accounts that watch each wallet. Wallets without a watch are absent. */
  async watchersOf(tx: SqlExecutor, wallets: readonly string[]): Promise<Map<string, string[]>> {
    const { rows } = await tx.query<{ wallet: string; accounts: string[] }>(
      `SELECT wallet, array_agg(account_id) AS accounts FROM watches
       WHERE wallet = ANY($1) AND watching GROUP BY wallet`,
      [wallets],
    );
    return new Map(rows.map(({ wallet, accounts }) => [wallet, accounts]));
  }
}
