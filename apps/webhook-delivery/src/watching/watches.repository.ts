import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';

const LOCK_KEY = `hashtextextended('plimsoll:webhook-delivery:watching', 0)`;

/** The latest state of a watch of one account and wallet. */
export interface WatchChange {
  accountId: string;
  wallet: string;
  watching: boolean;
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
      `INSERT INTO watches AS known (wallet, account_id, watching, changed_at)
       SELECT wallet, account_id, watching, to_timestamp(changed_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::boolean[], $4::float8[])
         AS change (wallet, account_id, watching, changed_at_ms)
       ORDER BY wallet, account_id
       ON CONFLICT (wallet, account_id) DO UPDATE
         SET watching = excluded.watching, changed_at = excluded.changed_at
         WHERE known.changed_at <= excluded.changed_at
       RETURNING wallet, account_id AS "accountId"`,
      [
        changes.map(({ wallet }) => wallet),
        changes.map(({ accountId }) => accountId),
        changes.map(({ watching }) => watching),
        changes.map(({ changedAtMs }) => changedAtMs),
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
