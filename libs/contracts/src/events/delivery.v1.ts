import { Type, type Static } from '@sinclair/typebox';
import {
  DELIVERY_STATES,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../webhooks';
import { defineEvent } from './define-event';
import { Nullable, RecordId, Timestamp, oneOf } from './fields';

/** Event types that every consumer of this version knows. */
const FIRST_EVENT_TYPES = [
  'alert.created',
  'alert.resolved',
  'position.updated',
  'position.liquidation_risk',
  'test.ping',
] as const satisfies readonly WebhookEventType[];

/** The event type as this version has always known it. */
export function firstEventType(type: WebhookEventType): (typeof FIRST_EVENT_TYPES)[number] {
  return type === 'alert.escalated' || type === 'alert.updated' || type === 'alert.group'
    ? 'alert.created'
    : type;
}

/**
 * A webhook delivery failed, was skipped or will be tried again; or it succeeded where that is news: after a failure, at
 * an endpoint that was failing, or for an execution that waits for it. An expected success is in the delivery log alone.
 */
const DeliveryV1Schema = Type.Object({
  deliveryId: RecordId('del'),
  webhookId: RecordId('wh'),
  accountId: RecordId('acc'),
  eventId: RecordId('evt'),
  /** Event type. An earlier release refuses one that it does not know: a later type is given as the earlier one next to it. */
  event: oneOf(FIRST_EVENT_TYPES),
  /** The event type exactly; absent in events of earlier releases. */
  eventType: Type.Optional(oneOf(WEBHOOK_EVENT_TYPES)),
  state: oneOf(DELIVERY_STATES),
  /** Attempts made so far. */
  attempt: Type.Integer({ minimum: 0 }),
  /** Status of the last attempt; null when no answer came. */
  statusCode: Nullable(Type.Integer()),
  at: Timestamp,
  nextAttemptAt: Nullable(Timestamp),
  /** Why this result made the service disable the endpoint; absent when it did not. */
  webhookDisabled: Type.Optional(oneOf(WEBHOOK_DISABLED_REASONS)),
});

export type DeliveryV1 = Static<typeof DeliveryV1Schema>;

export const deliveryV1 = defineEvent({
  topic: 'delivery.v1',
  schema: DeliveryV1Schema,
  compacted: false,
  keyOf: (value) => value.webhookId,
});
