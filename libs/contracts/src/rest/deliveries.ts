import { type Static, Type } from '@sinclair/typebox';
import { ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { DELIVERY_STATES, type DeliveryState, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../webhooks';
import { itemCount, nextCursor, nullable, oneOf, recordId, timestamp } from './fields';
import { IsMoment } from './moment';
import { Optional } from './optional';
import { PageQuery } from './paging';

/** States from which a client may retry a delivery. */
export const RETRYABLE_STATES = ['failed', 'skipped'] as const satisfies readonly DeliveryState[];
export type RetryableState = (typeof RETRYABLE_STATES)[number];

/** Query of GET /v1/webhooks/:id/deliveries. */
export class ListDeliveriesQuery extends PageQuery {
  @JSONSchema({ description: 'Only deliveries in this state.' })
  @Optional()
  @IsIn(DELIVERY_STATES)
  state?: DeliveryState;

  @JSONSchema({ description: 'Only deliveries of this event type.' })
  @Optional()
  @IsIn(WEBHOOK_EVENT_TYPES)
  event?: WebhookEventType;

  @JSONSchema({
    description: 'Only deliveries created at this time (ISO 8601) or later.',
    format: 'date-time',
  })
  @Optional()
  @IsMoment()
  since?: string;
}

/** Body of POST /v1/webhooks/:id/recover. */
export class RecoverDeliveriesBody {
  @JSONSchema({ description: 'Deliveries created at this time (ISO 8601) or later.', format: 'date-time' })
  @IsMoment()
  since!: string;

  @JSONSchema({ description: 'States to retry. Both when absent.' })
  @Optional()
  @IsArray()
  @ArrayMinSize(1)
  @ArrayUnique()
  @IsIn(RETRYABLE_STATES, { each: true })
  states?: RetryableState[];
}

const attempt = Type.Object({
  attempt: Type.Integer({ minimum: 1, description: 'Number of the attempt, as in x-service-attempt.' }),
  startedAt: timestamp('When the request began.'),
  durationMs: Type.Number({
    minimum: 0,
    description: 'The time from DNS to the end of the response. Milliseconds.',
  }),
  statusCode: nullable(Type.Integer(), 'Status of the endpoint’s response. Null without a response.'),
  error: nullable(Type.String(), 'Why there was no response. Null when there was one.'),
  responseHead: Type.String({
    description: 'Start of the response body: its first 4 KiB, in a list its first 256 characters.',
  }),
});

/** A delivery in the log: one event for one endpoint, with all its attempts. */
export const DeliveryItem = Type.Object({
  id: recordId('del', 'Id of the delivery, as in x-service-delivery.'),
  webhookId: recordId('wh', 'Id of the endpoint.'),
  eventId: recordId('evt', 'Id of the event, as in x-service-event-id.'),
  event: oneOf(WEBHOOK_EVENT_TYPES, { description: 'Event type.' }),
  state: oneOf(DELIVERY_STATES, {
    description:
      'pending: an attempt is due or in flight. retrying: the next attempt is scheduled. skipped: the endpoint was disabled.',
  }),
  isTest: Type.Boolean({ description: 'True: created by POST /v1/webhooks/:id/test.' }),
  createdAt: timestamp('When the delivery was created from its event.'),
  finishedAt: nullable(timestamp('A moment.'), 'When it ended. Null before.'),
  nextAttemptAt: nullable(
    timestamp('A moment.'),
    'When the next attempt is due. Null after the end and while an attempt is in flight.',
  ),
  attempts: Type.Array(attempt, { description: 'All attempts, first to last.' }),
});
export type DeliveryItem = Static<typeof DeliveryItem>;

/** Response of GET /v1/webhooks/:id/deliveries. */
export const DeliveryList = Type.Object({
  deliveries: Type.Array(DeliveryItem, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type DeliveryList = Static<typeof DeliveryList>;

/** Response of GET /v1/deliveries/:id. */
export const DeliveryDetail = Type.Object({
  delivery: Type.Composite([
    DeliveryItem,
    Type.Object({
      body: Type.String({ description: 'Body of the request, byte for byte as signed and sent.' }),
    }),
  ]),
});
export type DeliveryDetail = Static<typeof DeliveryDetail>;

/** Response of POST /v1/deliveries/:id/retry. */
export const RetriedDelivery = Type.Object({ delivery: DeliveryItem });
export type RetriedDelivery = Static<typeof RetriedDelivery>;

/** Response of POST /v1/webhooks/:id/recover. */
export const RecoveredDeliveries = Type.Object({
  count: Type.Integer({ minimum: 0, description: 'Deliveries that are pending again.' }),
  isComplete: Type.Boolean({
    description: 'False: more deliveries match than one request handles. Send the same request again.',
  }),
});
export type RecoveredDeliveries = Static<typeof RecoveredDeliveries>;
