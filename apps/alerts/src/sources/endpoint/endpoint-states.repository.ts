import { Injectable } from '@nestjs/common';
import type { DeliveryV1, WebhookV1 } from '@plimsoll/contracts';
import type { SqlExecutor } from '@plimsoll/event-bus';

/** Stored state of an endpoint. */
export interface EndpointState {
  /** Time of the newest delivery, milliseconds since 1970. */
  seenAtMs: number;
  isDeleted: boolean;
}

/** Stores the newest delivery of each webhook endpoint, and whether the endpoint was deleted. */
@Injectable()
export class EndpointStatesRepository {
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
}
