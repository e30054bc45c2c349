import { Injectable } from '@nestjs/common';
import type { PoolClient } from 'pg';
import type { AttemptResult, SentResult } from '../delivery/attempt-result';
import { ResultsRepository } from '../delivery/results.repository';

type TestDelivery = AttemptResult['delivery'] & { body: string; subject: string };

const INSERT = `
WITH counted AS (
  INSERT INTO delivery_counts AS counts (webhook_id, deliveries) VALUES ($2, 1)
  ON CONFLICT (webhook_id) DO UPDATE SET deliveries = counts.deliveries + 1
)
INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, request_id, traceparent, state, is_test, attempts,
                        last_status_code, created_at, finished_at, subject)
VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, true, 1, $10, $11, $12, $13)`;

/** Test deliveries appear in the log like any other, already completed. */
@Injectable()
export class TestDeliveriesRepository {
  constructor(private readonly results: ResultsRepository) {}

  async insert(
    tx: PoolClient,
    delivery: TestDelivery,
    result: Omit<AttemptResult, 'delivery' | 'sent'> & { sent: SentResult },
  ): Promise<void> {
    const { deliveryId, webhookId, accountId, eventId, event, body, requestId, traceparent } = delivery;
    const { state, sent, atMs } = result;
    await tx.query(INSERT, [
      deliveryId,
      webhookId,
      accountId,
      eventId,
      event,
      body,
      requestId ?? null,
      traceparent ?? null,
      state,
      sent.statusCode,
      new Date(sent.startedAtMs),
      new Date(atMs),
      delivery.subject,
    ]);
    await this.results.recordTest(tx, { ...result, delivery });
  }
}
