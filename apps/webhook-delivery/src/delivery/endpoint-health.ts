import type { WebhookDisabledReason } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { AttemptResult } from './attempt-result';
import { type FailedEndpoint, endpointChanges } from './endpoint-changes';

/** Locks rows in the order of the ids, so that two batches never deadlock. */
const LOCKED = `SELECT id FROM webhooks WHERE id = ANY($1) ORDER BY id FOR NO KEY UPDATE`;

const RECOVER = `UPDATE webhooks SET failing_since = NULL WHERE id IN (${LOCKED})`;

/**
 * A reason is reported once. The statement skips an endpoint that is already disabled, and one that succeeded
 * or changed since the attempt was claimed.
 */
const FAIL = `
UPDATE webhooks w
SET failing_since = coalesce(w.failing_since, failed.at),
    is_enabled = failed.reason IS NULL, disabled_reason = failed.reason
FROM unnest($1::text[], $2::timestamptz[], $3::text[]) AS failed (id, at, reason)
WHERE w.id = failed.id AND w.is_enabled AND w.id IN (${LOCKED})
  AND (failed.reason IS DISTINCT FROM 'failing' OR w.failing_since IS NOT NULL)
RETURNING w.id, w.disabled_reason AS reason`;

/**
 * Records since when each endpoint has been failing, and disables endpoints that returned 410 or failed for
 * too long. Returns the deliveries whose result disabled their endpoint, with the reason.
 */
export async function followEndpointHealth(
  tx: SqlExecutor,
  results: readonly AttemptResult[],
): Promise<Map<string, WebhookDisabledReason>> {
  const { recovered, failed } = endpointChanges(results);
  if (recovered.length > 0) await tx.query(RECOVER, [recovered]);
  return failed.length > 0 ? fail(tx, failed) : new Map();
}

async function fail(
  tx: SqlExecutor,
  failed: readonly FailedEndpoint[],
): Promise<Map<string, WebhookDisabledReason>> {
  const { rows } = await tx.query<{ id: string; reason: WebhookDisabledReason | null }>(FAIL, [
    failed.map(({ webhookId }) => webhookId),
    failed.map(({ atMs }) => new Date(atMs)),
    failed.map(({ reason }) => reason),
  ]);
  const reasons = new Map(rows.flatMap(({ id, reason }) => (reason === null ? [] : [[id, reason] as const])));
  return new Map(
    failed.flatMap(({ webhookId, deliveryId }) => {
      const reason = reasons.get(webhookId);
      return reason === undefined ? [] : [[deliveryId, reason] as const];
    }),
  );
}
