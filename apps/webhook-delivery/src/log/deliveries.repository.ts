import { Injectable } from '@nestjs/common';
import { type DeliveryState, type WebhookEventType, firstIdAt } from '@plimsoll/contracts';
import { Conditions, type Statement } from '@plimsoll/service-kit';
import { Pool } from 'pg';

/** A stored delivery. */
export interface DeliveryRow {
  id: string;
  webhookId: string;
  eventId: string;
  event: WebhookEventType;
  state: DeliveryState;
  isTest: boolean;
  createdAt: Date;
  finishedAt: Date | null;
  nextAttemptAt: Date | null;
}

export interface AttemptRow {
  deliveryId: string;
  attempt: number;
  startedAt: Date;
  durationMs: number;
  statusCode: number | null;
  error: string | null;
  responseHead: string;
  /** Lines. Empty in a list. */
  responseHeaders: string;
  /** Null: an attempt of an earlier release. */
  userAgent: string | null;
  signatures: number | null;
}

/** A delivery with what its requests contained. */
export interface WholeDelivery extends DeliveryRow {
  body: string;
  requestId: string | null;
  traceparent: string | null;
}

/** Null: any value. */
export interface DeliveryFilter {
  state: DeliveryState | null;
  event: WebhookEventType | null;
  sinceMs: number | null;
}

/**
 * An earlier release stores the end of its lease in due_at. A delivery that a process holds has no next
 * attempt yet.
 */
const COLUMNS = `deliveries.id, webhook_id AS "webhookId", event_id AS "eventId", event, state, is_test AS "isTest",
  created_at AS "createdAt", finished_at AS "finishedAt", CASE WHEN lease IS NULL THEN due_at
  ELSE (SELECT ends_at FROM leases WHERE leases.id = lease AND NOT is_held) END AS "nextAttemptAt"`;

/** True for RETRYABLE_STATES. Such deliveries have an index of their own. */
export const IS_RETRYABLE = 'is_retryable';

/** Newest deliveries that are searched for open ones before the queue is read. */
const NEWEST = 1_000;

const ATTEMPTS = `
SELECT delivery_id AS "deliveryId", attempt, started_at AS "startedAt", duration_ms AS "durationMs",
       status_code AS "statusCode", error, left(response_head, $2) AS "responseHead",
       CASE WHEN $3 THEN response_headers ELSE '' END AS "responseHeaders", user_agent AS "userAgent", signatures
FROM attempts WHERE delivery_id = ANY($1) ORDER BY delivery_id, attempt`;

/** The log of deliveries and attempts. */
@Injectable()
export class DeliveriesRepository {
  constructor(private readonly pool: Pool) {}

  /** Newest first. `beforeId` is the last item of the previous page. */
  async list(
    webhookId: string,
    filter: DeliveryFilter,
    beforeId: string | null,
    limit: number,
  ): Promise<DeliveryRow[]> {
    const page = { webhookId, filter, beforeId, limit };
    if (filter.state !== 'pending' && filter.state !== 'retrying') return this.rowsOf(listSql(page));
    const newest = await this.rowsOf(newestOpenSql(page));
    return newest.length === limit ? newest : this.rowsOf(queuedSql(page));
  }

  /** Without a name, so that Postgres plans each run with its values: most types are rare and one is common. */
  private async rowsOf({ text, values }: Statement): Promise<DeliveryRow[]> {
    return (await this.pool.query<DeliveryRow>({ text, values })).rows;
  }

  async find(accountId: string, id: string): Promise<WholeDelivery | null> {
    const { rows } = await this.pool.query<WholeDelivery>(
      `SELECT ${COLUMNS}, body, request_id AS "requestId", traceparent FROM deliveries WHERE id = $1 AND account_id = $2`,
      [id, accountId],
    );
    return rows[0] ?? null;
  }

  /**
   * Returns the attempts of each delivery, first to last.
   * @param headLength most characters of a response's beginning
   */
  async attemptsOf(
    deliveryIds: readonly string[],
    { headLength, hasHeaders }: { headLength: number; hasHeaders: boolean },
  ): Promise<Map<string, AttemptRow[]>> {
    const { rows } = await this.pool.query<AttemptRow>(ATTEMPTS, [deliveryIds, headLength, hasHeaders]);
    const byDelivery = new Map(deliveryIds.map((id) => [id, [] as AttemptRow[]]));
    for (const row of rows) byDelivery.get(row.deliveryId)?.push(row);
    return byDelivery;
  }
}

/** A page of the deliveries of an endpoint. */
interface Page {
  webhookId: string;
  filter: DeliveryFilter;
  beforeId: string | null;
  limit: number;
}

/** The conditions of a list, except on the state. */
function conditionsOf({ webhookId, filter: { event, sinceMs }, beforeId }: Page): Conditions {
  const fromMs = sinceMs ?? 0;
  const conditions = new Conditions();
  conditions.equal('webhook_id', webhookId);
  conditions.where((first) => `deliveries.id >= ${first}`, firstIdAt('del', fromMs));
  conditions.where((from) => `created_at >= ${from}`, new Date(fromMs));
  conditions.where((before) => `deliveries.id < ${before}`, beforeId);
  conditions.equal('event', event);
  return conditions;
}

/** The query of a page. An index has the order of the list for a type (`deliveries_of_type`) and for retryable states. */
function listSql(page: Page): Statement {
  const { filter, limit } = page;
  const conditions = conditionsOf(page);
  const { state } = filter;
  conditions.equal('state', state);
  if (state === 'failed' || state === 'skipped') conditions.add(IS_RETRYABLE);
  const text = `SELECT ${COLUMNS} FROM deliveries WHERE ${conditions.sql}
    ORDER BY id DESC LIMIT ${conditions.parameter(limit)}`;
  return { text, values: conditions.values };
}

/**
 * Open deliveries among the newest. No index has the open ones, because it would change with each success. They are mostly
 * the newest, so a full page needs nothing else.
 */
function newestOpenSql(page: Page): Statement {
  const { filter, limit } = page;
  const conditions = conditionsOf(page);
  const text = `
WITH newest AS MATERIALIZED (
  SELECT id, state FROM deliveries WHERE ${conditions.sql} ORDER BY id DESC LIMIT ${NEWEST}
), page AS MATERIALIZED (
  SELECT id FROM newest WHERE state = ${conditions.parameter(filter.state)}
  ORDER BY id DESC LIMIT ${conditions.parameter(limit)}
)
SELECT found.* FROM page CROSS JOIN LATERAL (
  SELECT ${COLUMNS} FROM deliveries WHERE deliveries.id = page.id OFFSET 0
) AS found ORDER BY found.id DESC`;
  return { text, values: conditions.values };
}

/** All open deliveries: an open one is due, or under a lease. */
function queuedSql(page: Page): Statement {
  const { filter, limit } = page;
  const conditions = conditionsOf(page);
  conditions.equal('state', filter.state);
  const webhook = conditions.parameter(page.webhookId);
  const text = `
WITH queue AS MATERIALIZED (
  SELECT id FROM deliveries WHERE webhook_id = ${webhook} AND due_at IS NOT NULL
  UNION SELECT unnest(delivery_ids) FROM leases WHERE is_held OR webhook_id = ${webhook}
)
SELECT found.* FROM queue CROSS JOIN LATERAL (
  SELECT ${COLUMNS} FROM deliveries WHERE deliveries.id = queue.id AND ${conditions.sql} OFFSET 0
) AS found ORDER BY found.id DESC LIMIT ${conditions.parameter(limit)}`;
  return { text, values: conditions.values };
}
