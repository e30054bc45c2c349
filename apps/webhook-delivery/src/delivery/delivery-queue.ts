import { Injectable } from '@nestjs/common';
import { Pool } from 'pg';
import { WEBHOOK_TARGET_COLUMNS } from '../endpoints/webhook-target';
import {
  type ClaimedDelivery,
  type ClaimedRow,
  type DeliveryTarget,
  claimedDelivery,
} from './claimed-delivery';
import type { Room } from './lanes';
import { type Lease, lastHeld, letGo, newLease } from './lease';
import { WaitingHere } from './waiting-here';

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

/** Waiting leases of a lane that one claim looks at. */
const MAX_LEASES = 64;

const COLUMNS = `d.id AS "deliveryId", d.webhook_id AS "webhookId", d.account_id AS "accountId", d.event_id AS "eventId",
  d.event, d.body, d.attempts, d.is_manual AS "isManual", d.is_awaited AS "isAwaited", d.request_id AS "requestId",
  d.traceparent, d.lease AS "leaseId"`;

/** Of a lease whose deliveries are known here. */
const NO_COLUMNS = COLUMNS.split(',')
  .slice(0, -1)
  .map(() => 'NULL')
  .join(', ');

/**
 * What is due of each lane of `chosen`: single rows, of which no more are read than it has room for, under a lease of
 * their own; and leases that wait, whole, until the room is filled. Of the leases of $8 the deliveries are not read.
 */
const CLAIM = `
due AS (
  SELECT ready.id, ready.due_at FROM chosen, LATERAL (
    SELECT id, due_at FROM deliveries
    WHERE webhook_id = chosen.webhook_id AND due_at <= $1
    ORDER BY due_at LIMIT chosen.room
    FOR UPDATE SKIP LOCKED) ready
  LIMIT $4
), held AS (
  INSERT INTO leases (id, ends_at, delivery_ids) SELECT $6, $5, array_agg(id) FROM due HAVING count(*) > 0
), fitting AS (
  SELECT id FROM (
    SELECT id, sum(size) OVER (ORDER BY before, id) - size AS before_of_all FROM (
      SELECT id, size, lease_room, sum(size) OVER (PARTITION BY chosen.webhook_id ORDER BY ends_at, id) - size AS before
      FROM chosen, LATERAL (
        SELECT id, ends_at, size FROM leases
        WHERE webhook_id = chosen.webhook_id AND NOT is_held AND ends_at <= $1
        ORDER BY ends_at, id LIMIT ${MAX_LEASES}) waiting
    ) of_lane WHERE before < lease_room
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
WITH chosen AS (SELECT * FROM unnest($2::text[], $3::int[], $7::int[]) AS chosen (webhook_id, room, lease_room)), ${CLAIM}`;

const CLAIM_ALL = `${lanesAfter('$9')}, chosen AS (
  SELECT webhook_id, coalesce(known.room, $10::int) AS room, coalesce(known.lease_room, $10::int) AS lease_room
  FROM (SELECT webhook_id FROM lanes WHERE due_at <= $1
        UNION SELECT webhook_id FROM leases WHERE NOT is_held AND webhook_id > $9 AND ends_at <= $1) lanes
  LEFT JOIN unnest($2::text[], $3::int[], $7::int[]) AS known (webhook_id, room, lease_room) USING (webhook_id)
  ORDER BY webhook_id
), ${CLAIM}`;

/** Who lets the last of a lease go takes its row along; one that \`TAKE_BACK\` has is left to it. */
export const END_LEASES = `
DELETE FROM leases WHERE id IN (SELECT id FROM leases WHERE id = ANY($1::uuid[]) FOR UPDATE SKIP LOCKED)`;

const RELEASE = `
WITH ended AS (${END_LEASES})
UPDATE deliveries d SET due_at = held.due_at, lease = NULL
FROM unnest($2::text[], $3::uuid[], $4::timestamptz[]) AS held (id, lease, due_at)
WHERE d.id = held.id AND d.lease = held.lease`;

const TAKE_BACK_LEASES = 50;

/**
 * Leases that have ended give back what is held under them: whoever held it is dead, or gave its result up. So do those
 * that wait for an endpoint that became slow: as many rows as it has room for can be claimed then.
 */
const TAKE_BACK = `
WITH ended AS (
  DELETE FROM leases WHERE id IN (
    SELECT id FROM leases WHERE ends_at <= $1 AND (is_held OR webhook_id = ANY($2))
    LIMIT ${TAKE_BACK_LEASES} FOR UPDATE SKIP LOCKED)
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

/** A delivery; of a lease whose deliveries are known here, no more than that it was taken. */
type AnsweredRow = (ClaimedRow | { deliveryId: null }) & { leaseId: string; dueAtMs: number };

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
  constructor(
    private readonly pool: Pool,
    private readonly waitingHere: WaitingHere,
  ) {}

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

  /** What is held under leases that have ended is due again, and what waits for these endpoints is due by itself. */
  async takeBack(nowMs: number, slowWebhookIds: readonly string[]): Promise<void> {
    const statement = { name: 'take-back', text: TAKE_BACK, values: [new Date(nowMs), slowWebhookIds] };
    for (let count = TAKE_BACK_LEASES; count === TAKE_BACK_LEASES;) {
      const { rows } = await this.pool.query<{ leases: number }>(statement);
      count = rows[0]?.leases ?? 0;
    }
  }

  /** Age of the delivery that has been due longest, milliseconds; 0 when none is due. */
  async oldestDueMs(nowMs: number): Promise<number> {
    const { rows } = await this.pool.query<{ age: number | null }>(
      `${lanesAfter("''")}
       SELECT extract(epoch FROM $1::timestamptz - min(due_at))::float8 * 1000 AS age
       FROM (SELECT due_at FROM lanes UNION ALL SELECT ends_at FROM leases WHERE NOT is_held) lanes WHERE due_at <= $1`,
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
    const { id, endsAtMs } = newLease(nowMs);
    const values = [
      new Date(nowMs),
      rooms.map(({ webhookId }) => webhookId),
      rooms.map(({ room }) => room),
      limit,
      new Date(endsAtMs),
      id,
      rooms.map(({ leaseRoom }) => leaseRoom),
      this.waitingHere.leaseIds(),
      ...more,
    ];
    const { rows } = await this.pool.query<AnsweredRow>({ name, text, values });
    const leases = new Map<string, Lease>();
    const held: { row: ClaimedRow; lease: Lease; dueAtMs: number }[] = [];
    for (const answered of rows) {
      const { leaseId, dueAtMs } = answered;
      const lease = leases.get(leaseId) ?? { id: leaseId, endsAtMs, held: 0 };
      leases.set(leaseId, lease);
      for (const row of isDelivery(answered) ? [answered] : this.waitingHere.take(leaseId)) {
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

function isDelivery(row: AnsweredRow): row is ClaimedRow & { leaseId: string; dueAtMs: number } {
  return row.deliveryId !== null;
}
