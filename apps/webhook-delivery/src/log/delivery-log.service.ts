import { Injectable } from '@nestjs/common';
import {
  type DeliveryDetail,
  type DeliveryItem,
  type DeliveryList,
  type ListDeliveriesQuery,
  notFound,
} from '@plimsoll/contracts';
import { idOfCursor, pageOf } from '@plimsoll/service-kit';
import { WebhooksRepository } from '../endpoints/webhooks.repository';
import { DeliveriesRepository, type DeliveryRow, type AttemptRow } from './deliveries.repository';
import { SEND_ERRORS, type SendErrorCode } from '../outgoing/send-error';

const LISTED_HEAD_LENGTH = 256;
const WHOLE_HEAD_LENGTH = 4_096;

/** Reads the log of deliveries. */
@Injectable()
export class DeliveryLogService {
  constructor(
    private readonly deliveries: DeliveriesRepository,
    private readonly webhooks: WebhooksRepository,
  ) {}

  /** @throws not_found, also for another account's endpoint; invalid_request for a cursor of another list */
  async list(accountId: string, webhookId: string, query: ListDeliveriesQuery): Promise<DeliveryList> {
    if (!(await this.webhooks.find(accountId, webhookId))) throw notFound('webhook');
    const { limit, cursor, state = null, event = null, since } = query;
    const sinceMs = since === undefined ? null : Date.parse(since);
    const filter = { state, event, sinceMs };
    const found = await this.deliveries.list(webhookId, filter, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
    const deliveries = await this.#withAttempts(items, LISTED_HEAD_LENGTH);
    return { deliveries, count: deliveries.length, nextCursor };
  }

  /** @throws not_found, also for another account's delivery */
  async find(accountId: string, id: string): Promise<DeliveryDetail['delivery']> {
    const row = await this.deliveries.find(accountId, id);
    const [item] = row ? await this.#withAttempts([row], WHOLE_HEAD_LENGTH) : [];
    if (!row || !item) throw notFound('delivery');
    return { ...item, body: row.body };
  }

  async #withAttempts(rows: readonly DeliveryRow[], headLength: number): Promise<DeliveryItem[]> {
    const attempts = await this.deliveries.attemptsOf(
      rows.map(({ id }) => id),
      headLength,
    );
    return rows.map((row) => deliveryItem(row, attempts.get(row.id) ?? []));
  }
}

const iso = (at: Date | null): string | null => at?.toISOString() ?? null;

/** Returns a delivery as the API shows it. */
function deliveryItem(row: DeliveryRow, attempts: readonly AttemptRow[]): DeliveryItem {
  const { id, webhookId, eventId, event, state, isTest, createdAt, finishedAt, nextAttemptAt } = row;
  return {
    id,
    webhookId,
    eventId,
    event,
    state,
    isTest,
    createdAt: createdAt.toISOString(),
    finishedAt: iso(finishedAt),
    nextAttemptAt: iso(nextAttemptAt),
    attempts: attempts.map(({ attempt, startedAt, durationMs, statusCode, error, responseHead }) => ({
      attempt,
      startedAt: startedAt.toISOString(),
      durationMs,
      statusCode,
      error: error === null ? null : SEND_ERRORS[error as SendErrorCode],
      responseHead,
    })),
  };
}
