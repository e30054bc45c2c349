import { Injectable } from '@nestjs/common';
import { type DeliveryState, type WebhookEventType, firstIdAt } from '@plimsoll/contracts';
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

const list = (isState: string): string => `
SELECT ${COLUMNS} FROM deliveries
WHERE webhook_id = $1 AND id >= $2 AND created_at >= $3 AND ($4::text IS NULL OR id < $4)
  AND ($5::text IS NULL OR state = $5) AND ($6::text IS NULL OR event = $6) AND ${isState}
ORDER BY id DESC LIMIT $7`;
const LIST = list('true');
const LIST_RETRYABLE = list(IS_RETRYABLE);

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
    { state, event, sinceMs }: DeliveryFilter,
    beforeId: string | null,
    limit: number,
  ): Promise<DeliveryRow[]> {
    const fromMs = sinceMs ?? 0;
    const sql = state === 'failed' || state === 'skipped' ? LIST_RETRYABLE : LIST;
    const { rows } = await this.pool.query<DeliveryRow>(sql, [
      webhookId,
      firstIdAt('del', fromMs),
      new Date(fromMs),
      beforeId,
      state,
      event,
      limit,
    ]);
    return rows;
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
