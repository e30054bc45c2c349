import { Injectable } from '@nestjs/common';
import type { DeliveryV1, WebhookV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';
import type { EndpointAlert } from './endpoint-alert';

/** Stored state of an endpoint. */
export interface EndpointState {
  /** Time of the newest delivery, milliseconds since 1970. */
  seenAtMs: number;
  isDeleted: boolean;
}

/** Stores alerts about webhook endpoints. */
@Injectable()
export class EndpointAlertsRepository {
  /**
   * Stores the newest of these deliveries for each endpoint, and returns the state before. Locks the
   * endpoints in a fixed order, so that no deadlock occurs.
   */
  async storeNewest(tx: SqlExecutor, deliveries: readonly DeliveryV1[]): Promise<Map<string, EndpointState>> {
    const newest = new Map<string, string>();
    for (const { webhookId, at } of deliveries)
      if (at > (newest.get(webhookId) ?? '')) newest.set(webhookId, at);
    const ids = [...newest.keys()].sort();
    const { rows } = await tx.query<EndpointState & { webhookId: string }>(
      `SELECT webhook_id AS "webhookId", (extract(epoch FROM seen_at) * 1000)::float8 AS "seenAtMs",
         deleted_at IS NOT NULL AS "isDeleted"
       FROM webhook_states WHERE webhook_id = ANY($1) ORDER BY webhook_id FOR UPDATE`,
      [ids],
    );
    await tx.query(
      `INSERT INTO webhook_states AS known (webhook_id, seen_at)
       SELECT * FROM unnest($1::text[], $2::timestamptz[])
       ON CONFLICT (webhook_id) DO UPDATE SET seen_at = greatest(known.seen_at, excluded.seen_at)`,
      [ids, ids.map((id) => newest.get(id))],
    );
    return new Map(rows.map(({ webhookId, ...seen }) => [webhookId, seen]));
  }

  /** Marks endpoints as deleted. This is permanent, because ids are not reused. */
  async markDeleted(tx: SqlExecutor, deletions: readonly WebhookV1[]): Promise<void> {
    const sorted = deletions.toSorted((a, b) => (a.webhookId < b.webhookId ? -1 : 1));
    await tx.query(
      `INSERT INTO webhook_states AS known (webhook_id, seen_at, deleted_at)
       SELECT webhook_id, to_timestamp(0), deleted_at FROM unnest($1::text[], $2::timestamptz[])
         AS deletion (webhook_id, deleted_at)
       ON CONFLICT (webhook_id) DO UPDATE SET deleted_at = coalesce(known.deleted_at, excluded.deleted_at)`,
      [sorted.map(({ webhookId }) => webhookId), sorted.map(({ at }) => at)],
    );
  }

  async active(tx: SqlExecutor, webhookIds: readonly string[]): Promise<EndpointAlert[]> {
    const { rows } = await tx.query<EndpointAlert>(
      `SELECT id, account_id AS "accountId", webhook_id AS "webhookId", severity, title, message,
         (extract(epoch FROM created_at) * 1000)::float8 AS "createdAtMs"
       FROM alerts WHERE webhook_id = ANY($1) AND resolved_at IS NULL`,
      [webhookIds],
    );
    return rows;
  }

  /** Inserts one alert. They are rare, so a batch is not needed. */
  async insert(tx: SqlExecutor, alert: EndpointAlert): Promise<void> {
    await tx.query(
      `INSERT INTO alerts (id, account_id, webhook_id, type, severity, title, message, confidence_score, created_at)
       VALUES ($1, $2, $3, 'webhook_disabled', $4, $5, $6, 1, to_timestamp($7::float8 / 1000))`,
      [
        alert.id,
        alert.accountId,
        alert.webhookId,
        alert.severity,
        alert.title,
        alert.message,
        alert.createdAtMs,
      ],
    );
  }

  async resolve(tx: SqlExecutor, alertId: string, atMs: number): Promise<void> {
    await tx.query('UPDATE alerts SET resolved_at = to_timestamp($2::float8 / 1000) WHERE id = $1', [
      alertId,
      atMs,
    ]);
  }
}
