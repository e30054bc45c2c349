import { Type, type Static } from '@sinclair/typebox';
import {
  DELIVERY_STATES,
  WEBHOOK_DISABLED_REASONS,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../webhooks';
import { defineEvent } from './define-event';
import { Nullable, RecordId, Timestamp, oneOf } from './fields';

/** Event types of the first release of this version. */
const FIRST_EVENT_TYPES = [
  'alert.created',
  'alert.resolved',
  'position.updated',
  'position.liquidation_risk',
  'test.ping',
] as const satisfies readonly WebhookEventType[];

/** Returns the event type that consumers of the first release accept. */
export function firstEventType(type: WebhookEventType): (typeof FIRST_EVENT_TYPES)[number] {
  return type === 'alert.escalated' || type === 'alert.updated' || type === 'alert.group'
    ? 'alert.created'
    : type;
}

/**
 * A delivery failed, was skipped or will be retried. A success is included only after a failure, at an
 * endpoint that was failing, or for an execution that waits for it. All other successes are only in the
 * delivery log.
 */
const DeliveryV1Schema = Type.Object({
  deliveryId: RecordId('del'),
  webhookId: RecordId('wh'),
  accountId: RecordId('acc'),
  eventId: RecordId('evt'),
  /**
   * Event type. An earlier release rejects a type that it does not know, so a later type appears here as the
   * nearest earlier one.
   */
  event: oneOf(FIRST_EVENT_TYPES),
  /** The exact event type. Absent in events of earlier releases. */
  eventType: Type.Optional(oneOf(WEBHOOK_EVENT_TYPES)),
  state: oneOf(DELIVERY_STATES),
  /** Attempts made so far. */
  attempt: Type.Integer({ minimum: 0 }),
  /** Status of the last attempt. Null without a response. */
  statusCode: Nullable(Type.Integer()),
  at: Timestamp,
  nextAttemptAt: Nullable(Timestamp),
  /** Why the service disabled the endpoint after this result. Absent when it did not. */
  webhookDisabled: Type.Optional(oneOf(WEBHOOK_DISABLED_REASONS)),
});

export type DeliveryV1 = Static<typeof DeliveryV1Schema>;

export const deliveryV1 = defineEvent({
  topic: 'delivery.v1',
  schema: DeliveryV1Schema,
  compacted: false,
  keyOf: (value) => value.webhookId,
});
