import {
  type DeliveryState,
  type DeliveryV1,
  type WebhookDisabledReason,
  firstEventType,
} from '@plimsoll/contracts';
import { type OutgoingEvent, outgoing } from '@plimsoll/event-bus';
import type { SendResult } from '../outgoing/exchange';
import type { ClaimedDelivery } from './claimed-delivery';

/** The result of a request, and how many secrets signed it. */
export type SentResult = SendResult & { signatures: number };

/** State of a delivery after an attempt, or after it was skipped. */
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
  /** Attempts so far, including this one. */
  attempts: number;
  /** Null when the delivery was skipped without an attempt. */
  sent: SentResult | null;
  /** Milliseconds since 1970. */
  atMs: number;
  /** Milliseconds since 1970. Null after the last attempt. */
  nextAttemptAtMs: number | null;
  isEndpointDeleted: boolean;
}

/** A result of a claimed delivery. */
export interface ClaimedResult extends AttemptResult {
  delivery: ClaimedDelivery;
}

/**
 * The part of a result that the delivery.v1 event contains. It omits what only changes the endpoint's state.
 */
export type ReportedResult = Omit<AttemptResult, 'delivery' | 'isEndpointDeleted'> & {
  delivery: Omit<AttemptResult['delivery'], 'failingSince' | 'isAwaited'>;
};

/**
 * Returns true for results that delivery.v1 reports: all except an expected success. Most deliveries are
 * expected successes, and reporting each would cost a third of sending it.
 */
export function isSignificant({ delivery, state, attempts }: AttemptResult): boolean {
  return state !== 'delivered' || attempts > 1 || delivery.failingSince !== null || delivery.isAwaited;
}

/** @param webhookDisabled why this result disabled the endpoint; absent when it did not */
export function deliveryEvent(
  result: ReportedResult,
  webhookDisabled?: WebhookDisabledReason,
): OutgoingEvent {
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
