import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { WEBHOOK_TARGET_COLUMNS } from '../outgoing/webhook-target';
import {
  type ClaimedDelivery,
  type ClaimedRow,
  type DeliveryTarget,
  claimedDelivery,
} from './claimed-delivery';
import type { EndpointCapacity } from './endpoint-queues';
import { type Lease, emptiedLeases, releaseLeases, newLease } from './lease';
import { LocalLeaseCache } from './local-lease-cache';

/**
 * Each endpoint with open deliveries is a queue of its own, listed with the time of its first delivery. The
 * walk reads one index entry per endpoint, so the backlog of a slow endpoint costs the others nothing.
 */
const queuesAfter = (webhookId: string): string => `
WITH RECURSIVE queues (webhook_id, due_at) AS (
  (SELECT webhook_id, due_at FROM deliveries
   WHERE due_at IS NOT NULL AND webhook_id > ${webhookId} ORDER BY webhook_id, due_at LIMIT 1)
  UNION ALL
  SELECT next.* FROM queues, LATERAL (
    SELECT webhook_id, due_at FROM deliveries
    WHERE due_at IS NOT NULL AND webhook_id > queues.webhook_id ORDER BY webhook_id, due_at LIMIT 1) next
)`;

/** Most waiting leases of an endpoint that one claim considers. */
const MAX_LEASES = 64;

const COLUMNS = `d.id AS "deliveryId", d.webhook_id AS "webhookId", d.account_id AS "accountId", d.event_id AS "eventId",
  d.event, d.body, d.attempts, d.is_manual AS "isManual", d.is_awaited AS "isAwaited", d.request_id AS "requestId",
  d.traceparent, d.lease AS "leaseId"`;

/** Columns for a lease whose deliveries are in LocalLeaseCache. */
const NO_COLUMNS = COLUMNS.split(',')
  .slice(0, -1)
  .map(() => 'NULL')
  .join(', ');

/**
 * Claims the due deliveries of each endpoint in `chosen`: single rows up to the endpoint's capacity, under
 * one new lease, and complete waiting leases until the capacity is used. The deliveries of the leases in $8
 * are not read.
 */
const CLAIM = `
due AS (
  SELECT ready.id, ready.due_at FROM chosen, LATERAL (
    SELECT id, due_at FROM deliveries
    WHERE webhook_id = chosen.webhook_id AND due_at <= $1
    ORDER BY due_at LIMIT chosen.capacity
    FOR UPDATE SKIP LOCKED) ready
  LIMIT $4
), held AS (
  INSERT INTO leases (id, ends_at, delivery_ids) SELECT $6, $5, array_agg(id) FROM due HAVING count(*) > 0
), fitting AS (
  SELECT id FROM (
    SELECT id, sum(size) OVER (ORDER BY before, id) - size AS before_of_all FROM (
      SELECT id, size, lease_capacity, sum(size) OVER (PARTITION BY chosen.webhook_id ORDER BY ends_at, id) - size AS before
      FROM chosen, LATERAL (
        SELECT id, ends_at, size FROM leases
        WHERE webhook_id = chosen.webhook_id AND NOT is_held AND ends_at <= $1
        ORDER BY ends_at, id LIMIT ${MAX_LEASES}) waiting
    ) of_queue WHERE before < lease_capacity
  ) of_all WHERE before_of_all < $4
), free AS (
  SELECT id, ends_at FROM leases WHERE id IN (SELECT id FROM fitting) AND NOT is_held FOR UPDATE SKIP LOCKED
), taken AS (
  UPDATE leases SET is_held = true, ends_at = $5 FROM free WHERE leases.id = free.id
  RETURNING leases.id, leases.delivery_ids, free.ends_at AS due_at
), claimed AS (
  UPDATE deliveries d SET due_at = NULL, lease = $6 FROM due WHERE d.id = due.id
  RETURNING ${COLUMNS}, date_part('epoch', due.due_at) * 1000 AS "dueAtMs"
)
SELECT * FROM claimed
UNION ALL
SELECT ${COLUMNS}, date_part('epoch', taken.due_at) * 1000
FROM taken, unnest(taken.delivery_ids) AS each (id), deliveries d
WHERE taken.id <> ALL($8::uuid[]) AND d.id = each.id AND d.lease = taken.id
UNION ALL
SELECT ${NO_COLUMNS}, id, date_part('epoch', due_at) * 1000 FROM taken WHERE id = ANY($8::uuid[])`;

const CLAIM_OF = `
WITH chosen AS (SELECT * FROM unnest($2::text[], $3::int[], $7::int[]) AS chosen (webhook_id, capacity, lease_capacity)), ${CLAIM}`;

const CLAIM_ALL = `${queuesAfter('$9')}, chosen AS (
  SELECT webhook_id, coalesce(known.capacity, $10::int) AS capacity, coalesce(known.lease_capacity, $10::int) AS lease_capacity
  FROM (SELECT webhook_id FROM queues WHERE due_at <= $1
        UNION SELECT webhook_id FROM leases WHERE NOT is_held AND webhook_id > $9 AND ends_at <= $1) queues
  LEFT JOIN unnest($2::text[], $3::int[], $7::int[]) AS known (webhook_id, capacity, lease_capacity) USING (webhook_id)
  ORDER BY webhook_id
), ${CLAIM}`;

/**
 * The process that releases the last delivery of a lease also deletes the lease's row. It leaves a row that
 * \`RECLAIM\` has locked.
 */
export const END_LEASES = `
DELETE FROM leases WHERE id IN (SELECT id FROM leases WHERE id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED)`;

const RELEASE = `
WITH ended AS (${END_LEASES})
UPDATE deliveries d SET due_at = held.due_at, lease = NULL
FROM unnest($2::text[], $3::uuid[], $4::timestamptz[]) AS held (id, lease, due_at)
WHERE d.id = held.id AND d.lease = held.lease`;

const RECLAIM_LEASES = 50;

/**
 * Makes deliveries under expired leases due again: the process that held them has ended, or gave up writing
 * their results. It does the same for waiting leases of an endpoint that became slow, whose rows are then
 * claimed one by one.
 */
const RECLAIM = `
WITH ended AS (
  DELETE FROM leases WHERE id IN (
    SELECT id FROM leases WHERE ends_at <= $1 AND (is_held OR webhook_id = ANY($2))
    LIMIT ${RECLAIM_LEASES} FOR UPDATE SKIP LOCKED)
  RETURNING id, ends_at, delivery_ids
), due AS (
  UPDATE deliveries d SET due_at = held.ends_at, lease = NULL
  FROM (SELECT id AS lease, ends_at, unnest(delivery_ids) AS id FROM ended) held
  WHERE d.id = held.id AND d.lease = held.lease
)
SELECT count(*)::int AS leases FROM ended`;

const TARGETS = `
SELECT w.id AS "webhookId", ${WEBHOOK_TARGET_COLUMNS},
  w.is_enabled AND w.within_cap AND w.deleted_at IS NULL AS "isOpen"
FROM webhooks w WHERE w.id = ANY($1)`;

/** A claimed delivery. For a lease in LocalLeaseCache it only states that the lease was claimed. */
type ResponseRow = (ClaimedRow | { deliveryId: null }) & { leaseId: string; dueAtMs: number };

/** Bounds of a claim. */
export interface ClaimRequest {
  nowMs: number;
  /** Most deliveries over all endpoints. */
  limit: number;
  /** Capacity of each endpoint. */
  capacities: readonly EndpointCapacity[];
}

/** The queue of due deliveries in Postgres. */
@Injectable()
export class DeliveryQueue {
  constructor(
    private readonly pool: Pool,
    private readonly localLeases: LocalLeaseCache,
  ) {}

  /**
   * Claims due deliveries of the given endpoints. No other process receives them before the lease expires.
   */
  claim(request: ClaimRequest): Promise<ClaimedDelivery[]> {
    return this.#claim('claim-of', CLAIM_OF, request, []);
  }

  /**
   * Claims due deliveries of any endpoint, in the order of their ids.
   * @param newEndpointCapacity capacity of each endpoint that `capacities` does not contain
   */
  claimAny(
    request: ClaimRequest,
    newEndpointCapacity: number,
    afterWebhookId: string,
  ): Promise<ClaimedDelivery[]> {
    return this.#claim('claim-any', CLAIM_ALL, request, [afterWebhookId, newEndpointCapacity]);
  }

  /** Returns claimed deliveries to the queue without sending them. */
  async release(deliveries: readonly ClaimedDelivery[]): Promise<void> {
    if (deliveries.length === 0) return;
    const leases = deliveries.map(({ lease }) => lease);
    await this.pool.query(RELEASE, [
      emptiedLeases(leases),
      deliveries.map(({ deliveryId }) => deliveryId),
      leases.map(({ id }) => id),
      deliveries.map(({ dueAtMs }) => new Date(dueAtMs)),
    ]);
    releaseLeases(leases);
  }

  /** Makes deliveries under expired leases, and the waiting leases of these endpoints, due row by row. */
  async reclaim(nowMs: number, slowWebhookIds: readonly string[]): Promise<void> {
    const statement = { name: 'take-back', text: RECLAIM, values: [new Date(nowMs), slowWebhookIds] };
    for (let count = RECLAIM_LEASES; count === RECLAIM_LEASES;) {
      const { rows } = await this.pool.query<{ leases: number }>(statement);
      count = rows[0]?.leases ?? 0;
    }
  }

  /** Returns the age of the oldest due delivery or waiting event in milliseconds, 0 without any. */
  async oldestDueMs(nowMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ age: number | null }>(
      `${queuesAfter("''")}
       SELECT extract(epoch FROM $1::timestamptz - min(due_at))::float8 * 1000 AS age
       FROM (SELECT due_at FROM queues UNION ALL SELECT ends_at FROM leases WHERE NOT is_held
             UNION ALL SELECT created_at FROM waiting_events) queues WHERE due_at <= $1`,
      [new Date(nowMs)],
    );
    return rows[0]?.age ?? 0;
  }

  async #claim(
    name: string,
    text: string,
    { nowMs, limit, capacities }: ClaimRequest,
    more: readonly unknown[],
  ): Promise<ClaimedDelivery[]> {
    const { id, endsAtMs } = newLease(nowMs);
    const values = [
      new Date(nowMs),
      capacities.map(({ webhookId }) => webhookId),
      capacities.map(({ capacity }) => capacity),
      limit,
      new Date(endsAtMs),
      id,
      capacities.map(({ leaseCapacity }) => leaseCapacity),
      this.localLeases.leaseIds(),
      ...more,
    ];
    const { rows } = await this.pool.query<ResponseRow>({ name, text, values });
    const leases = new Map<string, Lease>();
    const held: { row: ClaimedRow; lease: Lease; dueAtMs: number }[] = [];
    for (const claimed of rows) {
      const { leaseId, dueAtMs } = claimed;
      const lease = leases.get(leaseId) ?? { id: leaseId, endsAtMs, held: 0 };
      leases.set(leaseId, lease);
      for (const row of isDelivery(claimed) ? [claimed] : this.localLeases.take(leaseId)) {
        lease.held += 1;
        held.push({ row, lease, dueAtMs });
      }
    }
    if (held.length === 0) return [];
    const targets = await this.#targetsOf([...new Set(held.map(({ row }) => row.webhookId))]);
    return held.flatMap(({ row, lease, dueAtMs }) => {
      const target = targets.get(row.webhookId);
      return target ? [claimedDelivery(row, target, lease, dueAtMs)] : [];
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

function isDelivery(row: ResponseRow): row is ClaimedRow & { leaseId: string; dueAtMs: number } {
  return row.deliveryId !== null;
}
