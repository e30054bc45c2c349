import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';

const LOCK_KEY = `hashtextextended('plimsoll:alerts:watching', 0)`;

/** The latest that is known of one account and wallet. */
export interface WatchChange {
  accountId: string;
  wallet: string;
  watching: boolean;
  changedAtMs: number;
}

/** Who watches which wallet. */
@Injectable()
export class WatchesRepository {
  /**
   * To be taken first by whoever evaluates positions. Without it a position and a new watch that are handled at the
   * same time would each miss the other.
   */
  async lockForReading(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock_shared(${LOCK_KEY})`);
  }

  /** To be taken first by whoever changes who watches: waits for the evaluations in work, and they for it. */
  async lockForWriting(tx: SqlExecutor): Promise<void> {
    await tx.query(`SELECT pg_advisory_xact_lock(${LOCK_KEY})`);
  }

  /** Takes in changes, at most one for each account and wallet; returns the wallets of those that were news. */
  async apply(tx: SqlExecutor, changes: readonly WatchChange[]): Promise<string[]> {
    const { rows } = await tx.query<{ wallet: string }>(
      `INSERT INTO watches AS known (wallet, account_id, watching, changed_at)
       SELECT wallet, account_id, watching, to_timestamp(changed_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::boolean[], $4::float8[])
         AS change (wallet, account_id, watching, changed_at_ms)
       ON CONFLICT (wallet, account_id) DO UPDATE
         SET watching = excluded.watching, changed_at = excluded.changed_at
         WHERE known.changed_at <= excluded.changed_at
       RETURNING wallet`,
      [
        changes.map((change) => change.wallet),
        changes.map((change) => change.accountId),
        changes.map((change) => change.watching),
        changes.map((change) => change.changedAtMs),
      ],
    );
    return [...new Set(rows.map((row) => row.wallet))];
  }

  async walletsOf(tx: SqlExecutor, accountId: string): Promise<string[]> {
    const { rows } = await tx.query<{ wallet: string }>(
      'SELECT wallet FROM watches WHERE account_id = $1 AND watching',
      [accountId],
    );
    return rows.map(({ wallet }) => wallet);
  }

  /** The accounts that watch each of the wallets; wallets that nobody watches are not in it. */
  async watchersOf(tx: SqlExecutor, wallets: readonly string[]): Promise<Map<string, Set<string>>> {
    const { rows } = await tx.query<{ wallet: string; accounts: string[] }>(
      `SELECT wallet, array_agg(account_id) AS accounts FROM watches
       WHERE wallet = ANY($1) AND watching GROUP BY wallet`,
      [wallets],
    );
    return new Map(rows.map(({ wallet, accounts }) => [wallet, new Set(accounts)]));
  }
}
