import { Injectable } from '@nestjs/common';
import { type WebhookEventType, newId } from '@plimsoll/contracts';
import {
  type EventBatch,
  type SqlExecutor,
  appendToOutbox,
  idsUnlessAll,
  itemsOf,
  lines,
} from '@plimsoll/event-bus';
import { Clock } from '@plimsoll/service-kit';
import { deliveryEvent } from '../delivery/attempt-result';
import {
  type ClaimedDelivery,
  type ClaimedRow,
  type DeliveryTarget,
  claimedDelivery,
} from '../delivery/claimed-delivery';
import { DeliverySender } from '../delivery/delivery-sender';
import { DeliveryWorker } from '../delivery/delivery-worker';
import { LEASE_MS } from '../delivery/lease';
import { LocalLeaseCache } from '../delivery/local-lease-cache';
import { WEBHOOK_TARGET_COLUMNS } from '../outgoing/webhook-target';
import { type NewLease, NewLeases } from './new-leases';
import { type AppliedFilter, passes, subjectOf, walletsOf } from '../events/event-filter';
import { type WebhookEvent, webhookBody } from '../events/webhook-event';

/** An event for the endpoints of one account. */
export interface AddressedEvent {
  accountId: string;
  event: WebhookEvent;
  /**
   * The only endpoint that receives it. Absent: all endpoints of the account that subscribe to the event's
   * type.
   */
  targetWebhookId?: string | undefined;
}

/** The transaction of new deliveries. */
export type IntakeTransaction = Pick<EventBatch<unknown>, 'tx' | 'afterCommit'>;

/** An endpoint of an account with new events. */
export interface Endpoint extends DeliveryTarget, AppliedFilter {
  accountId: string;
  events: WebhookEventType[];
  /** True while earlier events of the account wait for a turn. */
  isBehind: boolean;
}

interface NewDelivery extends ClaimedRow {
  requestId?: string | undefined;
  traceparent?: string | undefined;
  subject: string;
  state: 'pending' | 'skipped';
  /** Null: the delivery is due without a lease. */
  lease: NewLease | null;
  target: DeliveryTarget;
}

const ENDPOINTS = `
SELECT w.id AS "webhookId", w.account_id AS "accountId", w.events, w.severities, w.protocols,
  w.chain_ids AS "chainIds", ${WEBHOOK_TARGET_COLUMNS},
  w.is_enabled AND w.within_cap AS "isOpen",
  CASE WHEN w.wallet_group_ids <> '{}' THEN ARRAY(
    SELECT wallet FROM watches
    WHERE wallet = ANY($2) AND account_id = w.account_id AND group_ids && w.wallet_group_ids) END AS wallets,
  EXISTS (SELECT FROM waiting_events e WHERE e.account_id = w.account_id) AS "isBehind"
FROM webhooks w WHERE w.account_id = ANY($1) AND w.deleted_at IS NULL`;

/** Counts are written in the order of the ids, so that two batches never deadlock. */
const INSERT = `
WITH inserted AS (
  INSERT INTO deliveries (id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent,
                          created_at, due_at, finished_at, lease, is_awaited, subject)
  SELECT id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent, $10::timestamptz,
         CASE WHEN state = 'pending' AND lease IS NULL THEN $10::timestamptz END,
         CASE state WHEN 'skipped' THEN $10::timestamptz END, lease, is_awaited, subject
  FROM unnest(string_to_array($1, E'\\n'), string_to_array($2, E'\\n'), string_to_array($3, E'\\n'),
              string_to_array($4, E'\\n'), string_to_array($5, E'\\n'), string_to_array($6, E'\\n'),
              string_to_array($7, E'\\n'), string_to_array($8, E'\\n', ''), string_to_array($9, E'\\n', ''),
              string_to_array($11, E'\\n', '')::uuid[], string_to_array($12, E'\\n')::boolean[],
              string_to_array($20, E'\\n'))
    AS new (id, webhook_id, account_id, event_id, event, body, state, request_id, traceparent, lease, is_awaited,
            subject)
  ON CONFLICT (event_id, webhook_id) DO NOTHING
  RETURNING id, webhook_id
), leased AS (
  INSERT INTO leases (id, webhook_id, is_held, size, ends_at, delivery_ids)
  SELECT id, webhook_id, is_held, size, CASE WHEN is_held THEN $14::timestamptz ELSE $10::timestamptz END,
         string_to_array(delivery_ids, ' ')
  FROM unnest($15::uuid[], $16::text[], $17::boolean[], $18::int[], $19::text[])
    AS new (id, webhook_id, is_held, size, delivery_ids)
), counted AS (
  INSERT INTO delivery_counts AS counts (webhook_id, deliveries)
  SELECT webhook_id, count(*) FROM inserted GROUP BY webhook_id ORDER BY webhook_id
  ON CONFLICT (webhook_id) DO UPDATE SET deliveries = counts.deliveries + excluded.deliveries
)
${idsUnlessAll('inserted', '$13::int')}`;

/** Inserts deliveries, one row for each event and endpoint that takes it, and passes them on. */
@Injectable()
export class NewDeliveries {
  constructor(
    private readonly worker: DeliveryWorker,
    private readonly sender: DeliverySender,
    private readonly localLeases: LocalLeaseCache,
    private readonly clock: Clock,
  ) {}

  /** Returns the endpoints of the accounts that have any. */
  async endpointsOf(tx: SqlExecutor, events: readonly AddressedEvent[]): Promise<Map<string, Endpoint[]>> {
    const accounts = [...new Set(events.map(({ accountId }) => accountId))];
    const wallets = [...new Set(events.flatMap(({ event }) => walletsOf(event)))];
    const { rows } = await tx.query<Endpoint>({ name: 'endpoints-of-accounts', text: ENDPOINTS }, [
      accounts,
      wallets,
    ]);
    return byAccount(rows);
  }

  /** Deliveries within the capacity are sent right after the commit. */
  async insert(
    { tx, afterCommit }: IntakeTransaction,
    events: readonly AddressedEvent[],
    endpoints: ReadonlyMap<string, Endpoint[]>,
  ): Promise<void> {
    const nowMs = this.clock.now();
    const deliveries = this.#deliveriesOf(events, endpoints, nowMs);
    if (deliveries.length === 0) return;
    const inserted = await this.#insert(tx, deliveries, nowMs);
    await appendToOutbox(
      tx,
      inserted.flatMap((delivery) => (delivery.state === 'skipped' ? [skippedEvent(delivery, nowMs)] : [])),
    );
    afterCommit(() => this.#passOn(inserted, nowMs));
  }

  #passOn(inserted: readonly NewDelivery[], dueAtMs: number): void {
    const held: ClaimedDelivery[] = [];
    const left: NewDelivery[] = [];
    for (const delivery of inserted) {
      const { lease, state, target } = delivery;
      if (lease?.isHeld) {
        lease.held += 1;
        held.push(claimedDelivery(delivery, target, lease, dueAtMs));
      } else if (state === 'pending') left.push(delivery);
    }
    this.#remember(left);
    this.sender.take(held);
    if (left.length > 0) this.worker.left(left);
  }

  #remember(left: readonly NewDelivery[]): void {
    const byLease = new Map<string, NewDelivery[]>();
    for (const delivery of left) {
      if (delivery.lease === null) continue;
      const together = byLease.get(delivery.lease.id);
      if (together) together.push(delivery);
      else byLease.set(delivery.lease.id, [delivery]);
    }
    for (const [leaseId, deliveries] of byLease) this.localLeases.remember(leaseId, deliveries);
  }

  /**
   * Creates one delivery per event and subscribed endpoint. As many as the endpoint has capacity for are held
   * from the start. The others wait under leases when the endpoint is fast.
   */
  #deliveriesOf(
    events: readonly AddressedEvent[],
    endpoints: ReadonlyMap<string, Endpoint[]>,
    nowMs: number,
  ): NewDelivery[] {
    const leases = new NewLeases(this.sender, nowMs);
    const deliveries: NewDelivery[] = [];
    for (const addressed of events) {
      const { accountId, event, targetWebhookId } = addressed;
      for (const endpoint of endpoints.get(accountId) ?? []) {
        if (!takes(endpoint, addressed)) continue;
        const { webhookId, isOpen } = endpoint;
        const deliveryId = newId('del');
        deliveries.push({
          deliveryId,
          webhookId,
          accountId,
          eventId: event.eventId,
          event: event.event,
          subject: subjectOf(event),
          body: webhookBody(event, webhookId),
          attempts: 0,
          isManual: false,
          state: isOpen ? 'pending' : 'skipped',
          requestId: event.requestId,
          traceparent: event.traceparent,
          isAwaited: targetWebhookId !== undefined,
          lease: isOpen ? leases.of(webhookId, deliveryId) : null,
          target: endpoint,
        });
      }
    }
    return deliveries;
  }

  async #insert(tx: SqlExecutor, deliveries: readonly NewDelivery[], nowMs: number): Promise<NewDelivery[]> {
    const column = <K extends keyof NewDelivery>(name: K): NewDelivery[K][] =>
      deliveries.map((delivery) => delivery[name]);
    const leases = [...new Set(column('lease'))].filter((lease) => lease !== null);
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
      new Date(nowMs),
      lines(deliveries.map(({ lease }) => lease?.id)),
      lines(column('isAwaited')),
      deliveries.length,
      new Date(nowMs + LEASE_MS),
      leases.map(({ id }) => id),
      leases.map(({ webhookId }) => webhookId),
      leases.map(({ isHeld }) => isHeld),
      leases.map(({ deliveryIds }) => deliveryIds.length),
      leases.map(({ deliveryIds }) => deliveryIds.join(' ')),
      lines(column('subject')),
    ]);
    return itemsOf(rows, deliveries, ({ deliveryId }) => deliveryId);
  }
}

/** Returns the items of each account, in their order. */
export function byAccount<T extends { accountId: string }>(items: readonly T[]): Map<string, T[]> {
  const grouped = new Map<string, T[]>();
  for (const item of items) {
    const own = grouped.get(item.accountId);
    if (own) own.push(item);
    else grouped.set(item.accountId, [item]);
  }
  return grouped;
}

/** A rule that names an endpoint notifies it even when the endpoint does not subscribe to alerts, whatever it filters. */
export function takes(
  endpoint: Pick<Endpoint, 'webhookId' | 'events' | keyof AppliedFilter>,
  { event, targetWebhookId }: AddressedEvent,
): boolean {
  const isSubscribed = endpoint.events.includes(event.event);
  if (targetWebhookId === undefined) return isSubscribed && passes(endpoint, event);
  return endpoint.webhookId === targetWebhookId && (isSubscribed || event.event === 'alert.created');
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
