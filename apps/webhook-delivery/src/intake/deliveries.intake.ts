import { Injectable } from '@nestjs/common';
import { type Correlation, type WebhookEventType, newId } from '@plimsoll/contracts';
import {
  type EventBatch,
  type SqlExecutor,
  appendToOutbox,
  idsUnlessAll,
  itemsOf,
  lines,
} from '@plimsoll/event-bus';
import { Clock } from '../clock';
import { deliveryEvent } from '../delivery/attempt-result';
import type { ClaimedDelivery, DeliveryTarget } from '../delivery/claimed-delivery';
import { DeliverySender } from '../delivery/delivery-sender';
import { DeliveryWorker } from '../delivery/delivery-worker';
import { type Lease, newLease } from '../delivery/lease';
import { WEBHOOK_TARGET_COLUMNS } from '../endpoints/webhook-target';
import { type WebhookEvent, webhookBody } from './webhook-event';

/** An event on its way to the endpoints of one account. */
export interface AddressedEvent {
  accountId: string;
  event: WebhookEvent;
  /** The one endpoint that is told; absent: all of the account that take the event's type. */
  targetWebhookId?: string | undefined;
}

interface Endpoint extends DeliveryTarget {
  accountId: string;
  events: WebhookEventType[];
}

interface NewDelivery extends Correlation {
  deliveryId: string;
  webhookId: string;
  accountId: string;
  eventId: string;
  event: WebhookEventType;
  body: string;
  state: 'pending' | 'skipped';
  isAwaited: boolean;
  /** True: claimed by this process as it is made, and sent when the transaction is committed. */
  isClaimed: boolean;
  target: DeliveryTarget;
}

const ENDPOINTS = `
SELECT w.id AS "webhookId", w.account_id AS "accountId", w.events, ${WEBHOOK_TARGET_COLUMNS},
  w.is_enabled AND w.within_cap AS "isOpen"
FROM webhooks w WHERE w.account_id = ANY($1) AND w.deleted_at IS NULL`;

/** Counts are written in the order of the ids, so that two batches never wait for each other in a circle. */
const INSERT = `
WITH inserted AS (
  INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent,
                          created_at, due_at, finished_at, lease, is_awaited)
  SELECT id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent, $11::timestamptz,
         CASE WHEN state = 'pending' AND NOT is_claimed THEN $11::timestamptz END,
         CASE state WHEN 'skipped' THEN $11::timestamptz END, CASE WHEN is_claimed THEN $13::uuid END, is_awaited
  FROM unnest(string_to_array($1, E'\\n'), string_to_array($2, E'\\n'), string_to_array($3, E'\\n'),
              string_to_array($4, E'\\n'), string_to_array($5, E'\\n'), string_to_array($6, E'\\n'),
              string_to_array($7, E'\\n'), string_to_array($8, E'\\n', ''), string_to_array($9, E'\\n', ''),
              string_to_array($10, E'\\n')::boolean[], string_to_array($14, E'\\n')::boolean[])
    AS new (id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent, is_claimed, is_awaited)
  ON CONFLICT (event_id, webhook_id) DO NOTHING
  RETURNING id, webhook_id
), held AS (
  INSERT INTO leases (id, ends_at, delivery_ids)
  SELECT $13::uuid, $12::timestamptz, string_to_array($16, E'\\n') WHERE $16::text <> ''
), counted AS (
  INSERT INTO delivery_counts AS counts (webhook_id, deliveries)
  SELECT webhook_id, count(*) FROM inserted GROUP BY webhook_id ORDER BY webhook_id
  ON CONFLICT (webhook_id) DO UPDATE SET deliveries = counts.deliveries + excluded.deliveries
)
${idsUnlessAll('inserted', '$15::int')}`;

/** Turns events into deliveries, one row for each endpoint that asked for the event's type. */
@Injectable()
export class DeliveriesIntake {
  constructor(
    private readonly worker: DeliveryWorker,
    private readonly sender: DeliverySender,
    private readonly clock: Clock,
  ) {}

  /** In the batch's transaction; what has room is sent as soon as it is committed. */
  async take(
    { tx, afterCommit }: Pick<EventBatch<unknown>, 'tx' | 'afterCommit'>,
    events: readonly AddressedEvent[],
  ): Promise<void> {
    if (events.length === 0) return;
    const deliveries = this.#deliveriesOf(events, await this.#endpointsOf(tx, events));
    if (deliveries.length === 0) return;
    const nowMs = this.clock.now();
    const lease = newLease(nowMs);
    const inserted = await this.#insert(tx, deliveries, nowMs, lease);
    await appendToOutbox(
      tx,
      inserted.flatMap((delivery) => (delivery.state === 'skipped' ? [skippedEvent(delivery, nowMs)] : [])),
    );
    afterCommit(() => this.#handOver(inserted, nowMs, lease));
  }

  #handOver(inserted: readonly NewDelivery[], dueAtMs: number, lease: Lease): void {
    const held = inserted.filter(({ isClaimed }) => isClaimed);
    lease.held = held.length;
    this.sender.take(held.map((delivery) => claimed(delivery, dueAtMs, lease)));
    const left = inserted.filter(({ isClaimed, state }) => !isClaimed && state === 'pending');
    if (left.length > 0) this.worker.left(left);
  }

  async #endpointsOf(tx: SqlExecutor, events: readonly AddressedEvent[]): Promise<Map<string, Endpoint[]>> {
    const accounts = [...new Set(events.map(({ accountId }) => accountId))];
    const { rows } = await tx.query<Endpoint>({ name: 'endpoints-of-accounts', text: ENDPOINTS }, [accounts]);
    const byAccount = new Map<string, Endpoint[]>();
    for (const endpoint of rows) {
      byAccount.set(endpoint.accountId, [...(byAccount.get(endpoint.accountId) ?? []), endpoint]);
    }
    return byAccount;
  }

  /** One for each event and endpoint that asked for it; as many are claimed at once as the endpoint has room for. */
  #deliveriesOf(events: readonly AddressedEvent[], endpoints: Map<string, Endpoint[]>): NewDelivery[] {
    const rooms = new Map<string, number>();
    const isClaimed = ({ webhookId, isOpen }: Endpoint): boolean => {
      const room = rooms.get(webhookId) ?? this.sender.freshRoom(webhookId);
      rooms.set(webhookId, room - 1);
      return isOpen && room > 0;
    };
    return events.flatMap(({ accountId, event, targetWebhookId }) =>
      (endpoints.get(accountId) ?? [])
        .filter((endpoint) => takes(endpoint, event.event, targetWebhookId))
        .map((endpoint) => ({
          deliveryId: newId('del'),
          webhookId: endpoint.webhookId,
          accountId,
          eventId: event.eventId,
          event: event.event,
          body: webhookBody(event, endpoint.webhookId),
          state: endpoint.isOpen ? ('pending' as const) : ('skipped' as const),
          requestId: event.requestId,
          traceparent: event.traceparent,
          isAwaited: targetWebhookId !== undefined,
          isClaimed: isClaimed(endpoint),
          target: endpoint,
        })),
    );
  }

  async #insert(
    tx: SqlExecutor,
    deliveries: readonly NewDelivery[],
    nowMs: number,
    lease: Lease,
  ): Promise<NewDelivery[]> {
    const column = <K extends keyof NewDelivery>(name: K): NewDelivery[K][] =>
      deliveries.map((delivery) => delivery[name]);
    const { rows } = await tx.query<{ ids: string[] | null }>({ name: 'insert-deliveries', text: INSERT }, [
      lines(column('deliveryId')),
      lines(column('webhookId')),
      lines(column('accountId')),
      lines(column('eventId')),
      lines(column('event')),
      lines(column('body')),
      lines(column('state')),
      lines(column('requestId')),
      lines(column('traceparent')),
      lines(column('isClaimed')),
      new Date(nowMs),
      new Date(lease.endsAtMs),
      lease.id,
      lines(column('isAwaited')),
      deliveries.length,
      lines(deliveries.filter(({ isClaimed }) => isClaimed).map(({ deliveryId }) => deliveryId)),
    ]);
    return itemsOf(rows, deliveries, ({ deliveryId }) => deliveryId);
  }
}

function claimed(delivery: NewDelivery, dueAtMs: number, lease: Lease): ClaimedDelivery {
  const { deliveryId, webhookId, accountId, eventId, event, body, requestId, traceparent } = delivery;
  const { isAwaited, target } = delivery;
  return {
    deliveryId,
    webhookId,
    accountId,
    eventId,
    event,
    body,
    url: target.url,
    attempts: 0,
    isManual: false,
    isAwaited,
    dueAtMs,
    failingSince: target.failingSince,
    requestId,
    traceparent,
    target,
    lease,
  };
}

/** A rule that names an endpoint is told there whether or not the endpoint asked for alerts. */
function takes(endpoint: Endpoint, event: WebhookEventType, targetWebhookId: string | undefined): boolean {
  if (targetWebhookId === undefined) return endpoint.events.includes(event);
  return (
    endpoint.webhookId === targetWebhookId && (event === 'alert.created' || endpoint.events.includes(event))
  );
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
