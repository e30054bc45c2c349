import { Injectable } from '@nestjs/common';
import type { SqlExecutor } from '@plimsoll/event-bus';

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
  /** Takes in changes, at most one for each account and wallet. */
  async apply(tx: SqlExecutor, changes: readonly WatchChange[]): Promise<void> {
    await tx.query(
      `INSERT INTO watches AS known (wallet, account_id, watching, changed_at)
       SELECT wallet, account_id, watching, to_timestamp(changed_at_ms / 1000)
       FROM unnest($1::text[], $2::text[], $3::boolean[], $4::float8[])
         AS change (wallet, account_id, watching, changed_at_ms)
       ORDER BY wallet, account_id
       ON CONFLICT (wallet, account_id) DO UPDATE
         SET watching = excluded.watching, changed_at = excluded.changed_at
         WHERE known.changed_at <= excluded.changed_at`,
      [
        changes.map(({ wallet }) => wallet),
        changes.map(({ accountId }) => accountId),
        changes.map(({ watching }) => watching),
        changes.map(({ changedAtMs }) => changedAtMs),
      ],
    );
  }

  /** The accounts that watch each of the wallets; wallets that nobody watches are not in it. */
  async watchersOf(tx: SqlExecutor, wallets: readonly string[]): Promise<Map<string, string[]>> {
    const { rows } = await tx.query<{ wallet: string; accounts: string[] }>(
      `SELECT wallet, array_agg(account_id) AS accounts FROM watches
       WHERE wallet = ANY($1) AND watching GROUP BY wallet`,
      [wallets],
    );
    return new Map(rows.map(({ wallet, accounts }) => [wallet, accounts]));
  }
}
