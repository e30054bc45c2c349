import { Injectable } from '@nestjs/common';
import { type Correlation, type WebhookEventType, newId } from '@plimsoll/contracts';
import { type EventBatch, type SqlExecutor, appendToOutbox } from '@plimsoll/event-bus';
import { Clock } from '../clock';
import { deliveryEvent } from '../delivery/attempt-result';
import { DeliveryWorker } from '../delivery/delivery-worker';
import { type WebhookEvent, webhookBody } from './webhook-event';

/** An event on its way to the endpoints of one account. */
export interface AddressedEvent {
  accountId: string;
  event: WebhookEvent;
  /** The one endpoint that is told; absent: all of the account that take the event's type. */
  targetWebhookId?: string | undefined;
}

interface Endpoint {
  id: string;
  accountId: string;
  events: WebhookEventType[];
  isOpen: boolean;
}

interface NewDelivery extends Correlation {
  deliveryId: string;
  webhookId: string;
  accountId: string;
  eventId: string;
  event: WebhookEventType;
  body: string;
  state: 'pending' | 'skipped';
}

const ENDPOINTS = `
SELECT id, account_id AS "accountId", events, is_enabled AND within_cap AS "isOpen"
FROM webhooks WHERE account_id = ANY($1) AND deleted_at IS NULL`;

/** Counts are written in the order of the ids, so that two batches never wait for each other in a circle. */
const INSERT = `
WITH inserted AS (
  INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent,
                          created_at, due_at, finished_at)
  SELECT id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent,
         $10, CASE state WHEN 'pending' THEN $10::timestamptz END, CASE state WHEN 'skipped' THEN $10::timestamptz END
  FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::text[], $9::text[])
    AS new (id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent)
  ON CONFLICT (event_id, webhook_id) DO NOTHING
  RETURNING id, webhook_id
), counted AS (
  INSERT INTO delivery_counts AS counts (webhook_id, deliveries)
  SELECT webhook_id, count(*) FROM inserted GROUP BY webhook_id ORDER BY webhook_id
  ON CONFLICT (webhook_id) DO UPDATE SET deliveries = counts.deliveries + excluded.deliveries
)
SELECT id FROM inserted`;

/** Turns events into deliveries, one row for each endpoint that asked for the event's type. */
@Injectable()
export class DeliveriesIntake {
  constructor(
    private readonly worker: DeliveryWorker,
    private readonly clock: Clock,
  ) {}

  /** In the batch's transaction; the worker is woken when it is committed. */
  async take(
    { tx, afterCommit }: Pick<EventBatch<unknown>, 'tx' | 'afterCommit'>,
    events: readonly AddressedEvent[],
  ): Promise<void> {
    if (events.length === 0) return;
    const deliveries = deliveriesOf(events, await this.#endpointsOf(tx, events));
    if (deliveries.length === 0) return;
    const nowMs = this.clock.now();
    const inserted = await this.#insert(tx, deliveries, nowMs);
    const skipped = deliveries.filter(
      ({ deliveryId, state }) => state === 'skipped' && inserted.has(deliveryId),
    );
    await appendToOutbox(
      tx,
      skipped.map((delivery) => skippedEvent(delivery, nowMs)),
    );
    if (inserted.size > skipped.length) afterCommit(() => this.worker.wake());
  }

  async #endpointsOf(tx: SqlExecutor, events: readonly AddressedEvent[]): Promise<Map<string, Endpoint[]>> {
    const accounts = [...new Set(events.map(({ accountId }) => accountId))];
    const { rows } = await tx.query<Endpoint>(ENDPOINTS, [accounts]);
    const byAccount = new Map<string, Endpoint[]>();
    for (const endpoint of rows) {
      byAccount.set(endpoint.accountId, [...(byAccount.get(endpoint.accountId) ?? []), endpoint]);
    }
    return byAccount;
  }

  async #insert(tx: SqlExecutor, deliveries: readonly NewDelivery[], nowMs: number): Promise<Set<string>> {
    const { rows } = await tx.query<{ id: string }>(INSERT, [
      deliveries.map(({ deliveryId }) => deliveryId),
      deliveries.map(({ webhookId }) => webhookId),
      deliveries.map(({ accountId }) => accountId),
      deliveries.map(({ eventId }) => eventId),
      deliveries.map(({ event }) => event),
      deliveries.map(({ body }) => body),
      deliveries.map(({ state }) => state),
      deliveries.map(({ requestId }) => requestId ?? null),
      deliveries.map(({ traceparent }) => traceparent ?? null),
      new Date(nowMs),
    ]);
    return new Set(rows.map(({ id }) => id));
  }
}

function deliveriesOf(events: readonly AddressedEvent[], endpoints: Map<string, Endpoint[]>): NewDelivery[] {
  return events.flatMap(({ accountId, event, targetWebhookId }) =>
    (endpoints.get(accountId) ?? [])
      .filter((endpoint) => takes(endpoint, event.event, targetWebhookId))
      .map(({ id: webhookId, isOpen }) => ({
        deliveryId: newId('del'),
        webhookId,
        accountId,
        eventId: event.eventId,
        event: event.event,
        body: webhookBody(event, webhookId),
        state: isOpen ? ('pending' as const) : ('skipped' as const),
        requestId: event.requestId,
        traceparent: event.traceparent,
      })),
  );
}

/** A rule that names an endpoint is told there whether or not the endpoint asked for alerts. */
function takes(endpoint: Endpoint, event: WebhookEventType, targetWebhookId: string | undefined): boolean {
  if (targetWebhookId === undefined) return endpoint.events.includes(event);
  return endpoint.id === targetWebhookId && (event === 'alert.created' || endpoint.events.includes(event));
}

function skippedEvent(delivery: NewDelivery, atMs: number): ReturnType<typeof deliveryEvent> {
  return deliveryEvent({
    delivery,
    state: 'skipped',
    attempts: 0,
    sent: null,
    atMs,
    nextAttemptAtMs: null,
  });
}
