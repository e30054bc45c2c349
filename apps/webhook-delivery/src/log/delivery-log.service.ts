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
import { sentHeaders } from '../outgoing/delivery-request';
import { headersOfLines } from '../outgoing/response-headers';
import {
  type AttemptRow,
  DeliveriesRepository,
  type DeliveryRow,
  type WholeDelivery,
} from './deliveries.repository';
import { SEND_ERRORS, type SendErrorCode } from '../outgoing/send-error';

const LISTED = { headLength: 256, hasHeaders: false };
const WHOLE = { headLength: 4_096, hasHeaders: true };

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
    const attempts = await this.deliveries.attemptsOf(
      items.map(({ id }) => id),
      LISTED,
    );
    const deliveries = items.map((row) => deliveryItem(row, attempts.get(row.id) ?? []));
    return { deliveries, count: deliveries.length, nextCursor };
  }

  /** @throws not_found, also for another account's delivery */
  async find(accountId: string, id: string): Promise<DeliveryDetail['delivery']> {
    const row = await this.deliveries.find(accountId, id);
    if (!row) throw notFound('delivery');
    const attempts = (await this.deliveries.attemptsOf([id], WHOLE)).get(id) ?? [];
    const item = deliveryItem(row, attempts);
    const shown = item.attempts.map((attempt, index) => ({
      ...attempt,
      ...headersOf(row, attempts[index]!),
    }));
    return { ...item, attempts: shown, body: row.body };
  }
}

/** Attempts of earlier releases have no headers. */
function headersOf(
  { id: deliveryId, eventId, event, requestId, traceparent }: WholeDelivery,
  { attempt, startedAt, statusCode, responseHeaders, userAgent, signatures }: AttemptRow,
): Pick<DeliveryDetail['delivery']['attempts'][number], 'requestHeaders' | 'responseHeaders'> {
  if (userAgent === null || signatures === null) return { requestHeaders: null, responseHeaders: null };
  const delivery = {
    deliveryId,
    eventId,
    event,
    requestId: requestId ?? undefined,
    traceparent: traceparent ?? undefined,
  };
  const sent = { attempt, startedAtMs: startedAt.getTime(), userAgent, signatures };
  return {
    requestHeaders: sentHeaders(delivery, sent),
    responseHeaders: statusCode === null ? null : headersOfLines(responseHeaders),
  };
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
