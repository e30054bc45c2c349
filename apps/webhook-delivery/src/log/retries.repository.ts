import { Injectable } from '@nestjs/common';
import { type Correlation, type RetryableState, type WebhookEventType, firstIdAt } from '@plimsoll/contracts';
import { type SqlExecutor, appendToOutbox } from '@plimsoll/event-bus';
import { deliveryEvent } from '../delivery/attempt-result';
import { IS_RETRYABLE } from './deliveries.repository';

/** Deliveries of an endpoint that become pending again. */
export interface Recovery {
  webhookId: string;
  states: readonly RetryableState[];
  sinceMs: number;
}

interface RetriedRow {
  deliveryId: string;
  webhookId: string;
  accountId: string;
  eventId: string;
  event: WebhookEventType;
  attempts: number;
  requestId: string | null;
  traceparent: string | null;
}

const RETRY = `
UPDATE deliveries d SET state = 'pending', due_at = $1, finished_at = NULL, is_manual = true
FROM chosen WHERE d.id = chosen.id
RETURNING d.id AS "deliveryId", d.webhook_id AS "webhookId", d.account_id AS "accountId", d.event_id AS "eventId",
          d.event, d.attempts, d.request_id AS "requestId", d.traceparent`;

const RETRY_ONE = `
WITH chosen AS (
  SELECT id FROM deliveries WHERE id = $2 AND ${IS_RETRYABLE} FOR NO KEY UPDATE
) ${RETRY}`;

const RESEND = `
WITH chosen AS (
  SELECT id FROM deliveries WHERE id = $2 AND state = 'delivered' FOR NO KEY UPDATE
) ${RETRY}`;

/** Oldest first, so that recovered deliveries arrive in their original order. */
const RETRY_SOME = `
WITH chosen AS (
  SELECT id FROM deliveries
  WHERE webhook_id = $2 AND id >= $3 AND created_at >= $4 AND ${IS_RETRYABLE} AND state = ANY($5)
    AND NOT is_test
  ORDER BY id LIMIT $6 FOR NO KEY UPDATE SKIP LOCKED
) ${RETRY}`;

/** Makes deliveries pending again. Each gets one attempt without further retries. */
@Injectable()
export class RetriesRepository {
  /** Returns false when the delivery is not failed or skipped. */
  async retry(tx: SqlExecutor, deliveryId: string, nowMs: number): Promise<boolean> {
    return (await retried(tx, RETRY_ONE, [new Date(nowMs), deliveryId], nowMs)) === 1;
  }

  /** Returns false when the delivery is not delivered. */
  async resend(tx: SqlExecutor, deliveryId: string, nowMs: number): Promise<boolean> {
    return (await retried(tx, RESEND, [new Date(nowMs), deliveryId], nowMs)) === 1;
  }

  /** Takes at most `limit` of the oldest, and returns their number. */
  recover(
    tx: SqlExecutor,
    { webhookId, states, sinceMs }: Recovery,
    limit: number,
    nowMs: number,
  ): Promise<number> {
    const values = [new Date(nowMs), webhookId, firstIdAt('del', sinceMs), new Date(sinceMs), states, limit];
    return retried(tx, RETRY_SOME, values, nowMs);
  }
}

async function retried(
  tx: SqlExecutor,
  sql: string,
  values: readonly unknown[],
  nowMs: number,
): Promise<number> {
  const { rows } = await tx.query<RetriedRow>(sql, [...values]);
  const published = rows.map(({ attempts, requestId, traceparent, ...delivery }) => {
    const correlation: Correlation = {
      requestId: requestId ?? undefined,
      traceparent: traceparent ?? undefined,
    };
    return deliveryEvent({
      delivery: { ...delivery, ...correlation },
      state: 'pending',
      attempts,
      sent: null,
      atMs: nowMs,
      nextAttemptAtMs: nowMs,
    });
  });
  await appendToOutbox(tx, published);
  return rows.length;
}
