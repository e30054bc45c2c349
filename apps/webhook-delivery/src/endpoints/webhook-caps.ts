import type { SqlExecutor } from '@plimsoll/event-bus';

/** Call it before an account's endpoints are counted, so that no other transaction changes their number. */
export async function lockAccounts(tx: SqlExecutor, accountIds: readonly string[]): Promise<void> {
  await tx.query(
    `SELECT pg_advisory_xact_lock(hashtextextended('plimsoll:webhook-cap:' || account_id, 0))
     FROM (SELECT unnest($1::text[]) AS account_id ORDER BY 1) accounts`,
    [accountIds],
  );
}

/**
 * Applies the cap: the oldest endpoints of an account are within it, the newest above it are disabled. None
 * is deleted, so a higher cap enables them again. Accounts without a known cap keep their endpoints.
 */
export async function applyCaps(tx: SqlExecutor, accountIds: readonly string[]): Promise<void> {
  await tx.query(
    `UPDATE webhooks w SET within_cap = ranked.within_cap
     FROM (
       SELECT id, webhook_cap IS NULL
                  OR row_number() OVER (PARTITION BY account_id ORDER BY id) <= webhook_cap AS within_cap
       FROM webhooks JOIN account_caps USING (account_id)
       WHERE account_id = ANY($1) AND deleted_at IS NULL
     ) ranked
     WHERE w.id = ranked.id AND w.within_cap <> ranked.within_cap`,
    [accountIds],
  );
}
