import {
  type DeliveryState,
  type DeliveryV1,
  type WebhookDisabledReason,
  firstEventType,
} from '@plimsoll/contracts';
import { type OutgoingEvent, outgoing } from '@plimsoll/event-bus';
import type { SendResult } from '../outgoing/exchange';
import type { ClaimedDelivery } from './claimed-delivery';

/** Where a delivery stands after an attempt, or after it was skipped. */
export interface AttemptResult {
  delivery: Pick<
    ClaimedDelivery,
    | 'deliveryId'
    | 'webhookId'
    | 'accountId'
    | 'eventId'
    | 'event'
    | 'failingSince'
    | 'isAwaited'
    | 'requestId'
    | 'traceparent'
  >;
  state: DeliveryState;
  /** Made so far, this one included. */
  attempts: number;
  /** Null: skipped without an attempt. */
  sent: SendResult | null;
  /** Milliseconds since 1970. */
  atMs: number;
  /** Milliseconds since 1970; null at an end. */
  nextAttemptAtMs: number | null;
  endpointGone: boolean;
}

/** A result of a delivery that was claimed. */
export interface ClaimedResult extends AttemptResult {
  delivery: ClaimedDelivery;
}

/** What the log tells of a delivery: its result, without what only its endpoint's state follows from. */
export type ToldResult = Omit<AttemptResult, 'delivery' | 'endpointGone'> & {
  delivery: Omit<AttemptResult['delivery'], 'failingSince' | 'isAwaited'>;
};

/**
 * True for what the log is told of: all but a success that was to be expected. Most deliveries are that, and telling of
 * each would cost a third of sending it.
 */
export function isNews({ delivery, state, attempts }: AttemptResult): boolean {
  return state !== 'delivered' || attempts > 1 || delivery.failingSince !== null || delivery.isAwaited;
}

/** @param webhookDisabled why this result disabled the endpoint; absent when it did not */
export function deliveryEvent(result: ToldResult, webhookDisabled?: WebhookDisabledReason): OutgoingEvent {
  const { delivery, state, attempts, sent, atMs, nextAttemptAtMs } = result;
  const { deliveryId, webhookId, accountId, eventId, event } = delivery;
  const value: DeliveryV1 = {
    deliveryId,
    webhookId,
    accountId,
    eventId,
    event: firstEventType(event),
    eventType: event,
    state,
    attempt: attempts,
    statusCode: sent?.statusCode ?? null,
    at: new Date(atMs).toISOString(),
    nextAttemptAt: nextAttemptAtMs === null ? null : new Date(nextAttemptAtMs).toISOString(),
    ...(webhookDisabled && { webhookDisabled }),
  };
  return outgoing('delivery.v1', value, delivery);
}
