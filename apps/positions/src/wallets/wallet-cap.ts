import type { Correlation } from '@plimsoll/contracts';
import { appendToOutbox, outgoing, type SqlExecutor } from '@plimsoll/event-bus';
import { type WalletRow, walletEvent } from './wallet-row';

/** Creates the account's row if it is missing and locks it. Every change of its wallets holds this lock. */
export async function lockAccount(tx: SqlExecutor, accountId: string): Promise<void> {
  await tx.query(
    `INSERT INTO accounts (account_id) VALUES ($1)
     ON CONFLICT (account_id) DO UPDATE SET account_id = excluded.account_id`,
    [accountId],
  );
}

/**
 * Disables the newest wallets above each account's cap (null: none), enables those below it again, and
 * publishes the changes. The rows of the accounts must be locked.
 */
export async function applyCaps(
  tx: SqlExecutor,
  accounts: readonly { accountId: string; cap: number | null }[],
  correlation: Correlation,
): Promise<void> {
  const { rows } = await tx.query<WalletRow>(
    `WITH ranked AS (
       SELECT account_id, address, cap IS NULL
         OR row_number() OVER (PARTITION BY account_id ORDER BY watched_since, address) <= cap AS within
       FROM watched_wallets JOIN unnest($1::text[], $2::int[]) AS account (account_id, cap) USING (account_id)
     )
     UPDATE watched_wallets AS wallet SET enabled = within FROM ranked
     WHERE wallet.account_id = ranked.account_id AND wallet.address = ranked.address AND enabled <> within
     RETURNING wallet.account_id AS "accountId", wallet.address, enabled, watched_since AS "watchedSince", label,
       group_ids AS "groupIds"`,
    [accounts.map(({ accountId }) => accountId), accounts.map(({ cap }) => cap)],
  );
  await appendToOutbox(
    tx,
    rows.map((row) => outgoing('wallet.v1', walletEvent(row), correlation)),
  );
}
