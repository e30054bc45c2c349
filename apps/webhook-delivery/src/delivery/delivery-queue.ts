import { Injectable } from '@nestjs/common';
import type { Correlation, WebhookEventType } from '@plimsoll/contracts';
import { Pool } from 'pg';
import { WEBHOOK_TARGET_COLUMNS, type WebhookTarget } from '../endpoints/webhook-target';
import { ATTEMPT_DEADLINE_MS } from '../outgoing/http-sender';

/** How long a claim holds: the deadline of an attempt, and time to write its result. */
export const LEASE_MS = ATTEMPT_DEADLINE_MS + 5_000;

/** A delivery that this process holds until its lease ends, with what its request needs. */
export interface ClaimedDelivery extends Correlation, WebhookTarget {
  deliveryId: string;
  accountId: string;
  eventId: string;
  event: WebhookEventType;
  body: string;
  /** Made so far. */
  attempts: number;
  lease: string;
  /** How late it is, milliseconds. */
  overdueMs: number;
  /** Retried by the account: no schedule follows. */
  isManual: boolean;
  /** False: disabled, above the cap or deleted since the delivery was made. */
  isOpen: boolean;
}

export interface ClaimRequest {
  nowMs: number;
  /** Most deliveries to take. */
  limit: number;
  limitPerWebhook: number;
  busy: { webhookIds: string[]; counts: number[] };
  /** Endpoints are served in the order of their ids, from the one after this. */
  afterWebhookId: string;
}

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

/** Of each lane, only as many rows as it may still take are read. */
const CLAIM = `
${lanesAfter('$1')}, due AS (
  SELECT ready.id, ready.due_at
  FROM lanes
  LEFT JOIN unnest($2::text[], $3::int[]) AS busy (webhook_id, attempts) USING (webhook_id),
  LATERAL (
    SELECT id, due_at FROM deliveries
    WHERE webhook_id = lanes.webhook_id AND due_at <= $4
    ORDER BY due_at LIMIT greatest(0, $5::int - coalesce(busy.attempts, 0))
    FOR UPDATE SKIP LOCKED) ready
  WHERE lanes.due_at <= $4
  LIMIT $6
)
UPDATE deliveries d
SET due_at = $7, lease = gen_random_uuid()
FROM due, webhooks w
WHERE d.id = due.id AND w.id = d.webhook_id
RETURNING d.id AS "deliveryId", d.webhook_id AS "webhookId", d.account_id AS "accountId", d.event_id AS "eventId",
  d.event, d.body, d.attempts, d.lease, d.request_id AS "requestId", d.traceparent,
  extract(epoch FROM $4::timestamptz - due.due_at)::float8 * 1000 AS "overdueMs",
  d.is_manual AS "isManual", ${WEBHOOK_TARGET_COLUMNS},
  w.is_enabled AND w.within_cap AND w.deleted_at IS NULL AS "isOpen"`;

/** The rows that are to be sent, as a queue. */
@Injectable()
export class DeliveryQueue {
  constructor(private readonly pool: Pool) {}

  /** Takes due deliveries; no other process gets them before their lease ends. */
  async claim(request: ClaimRequest): Promise<ClaimedDelivery[]> {
    const { nowMs, limit, limitPerWebhook, busy, afterWebhookId } = request;
    const { rows } = await this.pool.query<
      ClaimedDelivery & { requestId: string | null; traceparent: string | null }
    >({
      name: 'claim-deliveries',
      text: CLAIM,
      values: [
        afterWebhookId,
        busy.webhookIds,
        busy.counts,
        new Date(nowMs),
        limitPerWebhook,
        limit,
        new Date(nowMs + LEASE_MS),
      ],
    });
    return rows.map((row) => ({
      ...row,
      requestId: row.requestId ?? undefined,
      traceparent: row.traceparent ?? undefined,
    }));
  }

  /** Gives claimed deliveries back unsent. */
  async release(deliveries: readonly ClaimedDelivery[], nowMs: number): Promise<void> {
    if (deliveries.length === 0) return;
    await this.pool.query(
      `UPDATE deliveries d SET due_at = $3, lease = NULL
       FROM unnest($1::text[], $2::uuid[]) AS held (id, lease) WHERE d.id = held.id AND d.lease = held.lease`,
      [deliveries.map(({ deliveryId }) => deliveryId), deliveries.map(({ lease }) => lease), new Date(nowMs)],
    );
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
}
