import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { WEBHOOK_TARGET_COLUMNS } from '../endpoints/webhook-target';
import type { ClaimedDelivery, DeliveryTarget } from './claimed-delivery';
import type { Room } from './lanes';
import { type Lease, lastHeld, letGo, newLease } from './lease';

/**
 * Every endpoint with open deliveries is a lane of its own, with the time of its first: the walk reads one index entry
 * for each. So what waits behind a slow endpoint costs the others nothing.
 */
const lanesAfter = (webhookId: string): string => `
WITH RECURSIVE lanes (webhook_id, due_at) AS (
  (SELECT webhook_id, due_at FROM deliveries
   WHERE due_at IS NOT NULL AND webhook_id > ${webhookId} ORDER BY webhook_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM lanes, LATERAL (
    SELECT webhook_id, due_at FROM deliveries
    WHERE due_at IS NOT NULL AND webhook_id > lanes.webhook_id ORDER BY webhook_id, due_at LIMIT 1) next
)`;

/** What is due of each lane of `chosen`: only as many rows as it has room for are read. */
const claimFrom = (chosen: string): string => `
due AS (
  SELECT ready.id, ready.due_at FROM ${chosen} AS chosen (webhook_id, room), LATERAL (
    SELECT id, due_at FROM deliveries
    WHERE webhook_id = chosen.webhook_id AND due_at <= $1
    ORDER BY due_at LIMIT chosen.room
    FOR UPDATE SKIP LOCKED) ready
  LIMIT $4
), held AS (
  INSERT INTO leases (id, ends_at, delivery_ids) SELECT $6, $5, array_agg(id) FROM due HAVING count(*) > 0
)
UPDATE deliveries d SET due_at = NULL, lease = $6 FROM due WHERE d.id = due.id
RETURNING d.id AS "deliveryId", d.webhook_id AS "webhookId", d.account_id AS "accountId", d.event_id AS "eventId",
  d.event, d.body, d.attempts, d.is_manual AS "isManual", d.is_awaited AS "isAwaited", d.request_id AS "requestId", d.traceparent,
  date_part('epoch', due.due_at) * 1000 AS "dueAtMs"`;

const CLAIM_OF = `WITH ${claimFrom('unnest($2::text[], $3::int[])')}`;

const CLAIM_ALL = `${lanesAfter('$7')}, ${claimFrom(`(
    SELECT lanes.webhook_id, coalesce(known.room, $8::int)
    FROM lanes LEFT JOIN unnest($2::text[], $3::int[]) AS known (webhook_id, room) USING (webhook_id)
    WHERE lanes.due_at <= $1)`)}`;

/** Who lets the last of a lease go takes its row along; one that \`TAKE_BACK\` has is left to it. */
export const END_LEASES = `
DELETE FROM leases WHERE id IN (SELECT id FROM leases WHERE id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED)`;

const RELEASE = `
WITH ended AS (${END_LEASES})
UPDATE deliveries d SET due_at = held.due_at, lease = NULL
FROM unnest($2::text[], $3::uuid[], $4::timestamptz[]) AS held (id, lease, due_at)
WHERE d.id = held.id AND d.lease = held.lease`;

/** Leases that have ended give back what is held under them: whoever held it is dead, or gave its result up. */
const TAKE_BACK = `
WITH ended AS (
  DELETE FROM leases WHERE id IN (SELECT id FROM leases WHERE ends_at <= $1 LIMIT 1000 FOR UPDATE SKIP LOCKED)
  RETURNING id, ends_at, delivery_ids
)
UPDATE deliveries d SET due_at = held.ends_at, lease = NULL
FROM (SELECT id AS lease, ends_at, unnest(delivery_ids) AS id FROM ended) held
WHERE d.id = held.id AND d.lease = held.lease`;

const TARGETS = `
SELECT w.id AS "webhookId", ${WEBHOOK_TARGET_COLUMNS},
  w.is_enabled AND w.within_cap AND w.deleted_at IS NULL AS "isOpen"
FROM webhooks w WHERE w.id = ANY($1)`;

type ClaimedRow = Omit<
  ClaimedDelivery,
  'url' | 'failingSince' | 'target' | 'lease' | 'requestId' | 'traceparent'
> & {
  requestId: string | null;
  traceparent: string | null;
};

/** How much to take. */
export interface ClaimRequest {
  nowMs: number;
  /** Over all. */
  limit: number;
  /** Of these endpoints. */
  rooms: readonly Room[];
}

/** The rows that are to be sent, as a queue. */
@Injectable()
export class DeliveryQueue {
  constructor(private readonly pool: Pool) {}

  /** Takes what is due of the endpoints named; no other process gets it before the lease ends. */
  claim(request: ClaimRequest): Promise<ClaimedDelivery[]> {
    return this.#claim('claim-of', CLAIM_OF, request, []);
  }

  /**
   * Takes what is due of any endpoint, in the order of their ids.
   * @param newRoom for each endpoint that `rooms` does not name
   */
  claimAny(request: ClaimRequest, newRoom: number, afterWebhookId: string): Promise<ClaimedDelivery[]> {
    return this.#claim('claim-any', CLAIM_ALL, request, [afterWebhookId, newRoom]);
  }

  /** Gives claimed deliveries back unsent. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const leases = deliveries.map(({ lease }) => lease);
    await this.pool.query(RELEASE, [
      lastHeld(leases),
      deliveries.map(({ deliveryId }) => deliveryId),
      leases.map(({ id }) => id),
      deliveries.map(({ dueAtMs }) => new Date(dueAtMs)),
    ]);
    letGo(leases);
  }

  /** What is held under leases that have ended is due again. */
  async takeBack(nowMs: number): Promise<void> {
    await this.pool.query({ name: 'take-back', text: TAKE_BACK, values: [new Date(nowMs)] });
  }

  /** Age of the delivery that has been due longest, milliseconds; 0 when none is due. */
  async oldestDueMs(nowMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ age: number | null }>(
      `${lanesAfter("''")}
       SELECT extract(epoch FROM $1::timestamptz - min(due_at))::float8 * 1000 AS age FROM lanes WHERE due_at <= $1`,
      [new Date(nowMs)],
    );
    return rows[0]?.age ?? 0;
  }

  async #claim(
    name: string,
    text: string,
    { nowMs, limit, rooms }: ClaimRequest,
    more: readonly unknown[],
  ): Promise<ClaimedDelivery[]> {
    const lease = newLease(nowMs);
    const values = [
      new Date(nowMs),
      rooms.map(({ webhookId }) => webhookId),
      rooms.map(({ room }) => room),
      limit,
      new Date(lease.endsAtMs),
      lease.id,
      ...more,
    ];
    const { rows } = await this.pool.query<ClaimedRow>({ name, text, values });
    if (rows.length === 0) return [];
    const targets = await this.#targetsOf([...new Set(rows.map(({ webhookId }) => webhookId))]);
    lease.held = rows.length;
    return rows.flatMap((row) => {
      const target = targets.get(row.webhookId);
      return target ? [claimed(row, target, lease)] : [];
    });
  }

  async #targetsOf(webhookIds: readonly string[]): Promise<Map<string, DeliveryTarget>> {
    const { rows } = await this.pool.query<DeliveryTarget>({
      name: 'delivery-targets',
      text: TARGETS,
      values: [webhookIds],
    });
    return new Map(rows.map((target) => [target.webhookId, target]));
  }
}

/** Field by field: spreads of so many would cost more than the claim. */
function claimed(row: ClaimedRow, target: DeliveryTarget, lease: Lease): ClaimedDelivery {
  return {
    deliveryId: row.deliveryId,
    webhookId: row.webhookId,
    accountId: row.accountId,
    eventId: row.eventId,
    event: row.event,
    body: row.body,
    url: target.url,
    attempts: row.attempts,
    isManual: row.isManual,
    isAwaited: row.isAwaited,
    dueAtMs: row.dueAtMs,
    failingSince: target.failingSince,
    requestId: row.requestId ?? undefined,
    traceparent: row.traceparent ?? undefined,
    target,
    lease,
  };
}
