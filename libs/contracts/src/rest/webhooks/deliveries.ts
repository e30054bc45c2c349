import { ArrayMinSize, ArrayUnique, IsArray, IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import {
  DELIVERY_STATES,
  type DeliveryState,
  WEBHOOK_EVENT_TYPES,
  type WebhookEventType,
} from '../../webhooks';
import {
  DELIVERY_ID,
  EVENT_ID,
  Example,
  Field,
  IsMoment,
  Optional,
  PageQuery,
  TIMESTAMP,
  WEBHOOK_ID,
} from '../fields';
import { DATA } from './samples';

const ATTEMPT = {
  attempt: 1,
  startedAt: TIMESTAMP,
  durationMs: 87.4,
  statusCode: 503,
  error: null,
  responseHead: 'down for maintenance',
};
const DELIVERY = {
  id: DELIVERY_ID,
  webhookId: WEBHOOK_ID,
  eventId: EVENT_ID,
  event: 'test.ping',
  state: 'failed',
  isTest: true,
  createdAt: TIMESTAMP,
  finishedAt: TIMESTAMP,
  nextAttemptAt: null,
  attempts: [ATTEMPT],
};
const HEADERS = {
  requestHeaders: [
    { name: 'content-type', value: 'application/json' },
    { name: 'x-service-signature', value: 'hidden' },
  ],
  responseHeaders: [{ name: 'content-type', value: 'text/plain' }],
};
const BODY = {
  event: 'test.ping',
  timestamp: TIMESTAMP,
  webhookId: WEBHOOK_ID,
  eventId: EVENT_ID,
  data: DATA,
};

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
  })
  @Optional()
  @IsMoment()
  since?: string;
}

/** Body of POST /v1/webhooks/:id/recover. */
@Example({ since: TIMESTAMP, states: ['failed', 'skipped'] })
export class RecoverDeliveriesBody {
  @JSONSchema({ description: 'Deliveries created at this time (ISO 8601) or later.' })
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

class Attempt {
  @Field.Integer('Number of the attempt, as in x-service-attempt.', { min: 1 }) attempt!: number;
  @Field.Timestamp('When the request began.') startedAt!: string;
  @Field.Number('The time from DNS to the end of the response. Milliseconds.', { min: 0 })
  durationMs!: number;

  @Field.Integer('Status of the endpoint’s response. Null without a response.', { nullable: true })
  statusCode!: number | null;

  @Field.Text('Why there was no response. Null when there was one.', { nullable: true }) error!:
    string | null;

  @Field.Text('Start of the response body: its first 4 KiB, in a list its first 256 characters.')
  responseHead!: string;
}

/** A delivery in the log: one event for one endpoint, with all its attempts. */
export class DeliveryItem {
  @Field.Id('del', 'Id of the delivery, as in x-service-delivery.') id!: string;
  @Field.Id('wh', 'Id of the endpoint.') webhookId!: string;
  @Field.Id('evt', 'Id of the event, as in x-service-event-id.') eventId!: string;
  @Field.Word(WEBHOOK_EVENT_TYPES, 'Event type.') event!: WebhookEventType;

  @Field.Word(
    DELIVERY_STATES,
    'pending: an attempt is due or in flight. retrying: the next attempt is scheduled. skipped: the endpoint was disabled.',
  )
  state!: DeliveryState;

  @Field.Boolean('True: created by POST /v1/webhooks/:id/test.') isTest!: boolean;
  @Field.Timestamp('When the delivery was created from its event.') createdAt!: string;
  @Field.Timestamp('When it ended. Null before.', { nullable: true }) finishedAt!: string | null;

  @Field.Timestamp('When the next attempt is due. Null after the end and while an attempt is in flight.', {
    nullable: true,
  })
  nextAttemptAt!: string | null;

  @Field.Object(() => Attempt, 'All attempts, first to last.', { list: true }) attempts!: Attempt[];
}

/** Response of GET /v1/webhooks/:id/deliveries. */
@Example({ deliveries: [DELIVERY], count: 1, nextCursor: null })
export class DeliveryList {
  @Field.Object(() => DeliveryItem, 'Newest first.', { list: true }) deliveries!: DeliveryItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}

class SentHeader {
  @Field.Text('Name.', { example: 'content-type' }) name!: string;
  @Field.Text('Value. `hidden` in place of signatures and of values that may be secrets.', {
    example: 'application/json',
  })
  value!: string;
}

class AttemptDetail extends Attempt {
  @Field.Object(
    () => SentHeader,
    'Headers that Plimsoll set. Null: the attempt is of a release that did not keep them.',
    { list: true, nullable: true },
  )
  requestHeaders!: SentHeader[] | null;

  @Field.Object(
    () => SentHeader,
    'Headers of the response: at most 40, each with 256 characters, 4 KiB in all. Queries of addresses are cut. Null without a response, or when the release did not keep them.',
    { list: true, nullable: true },
  )
  responseHeaders!: SentHeader[] | null;
}

/** The same class: its attempts have more fields in a detail. */
const DeliveryOfDetail = DeliveryItem as new () => Omit<DeliveryItem, 'attempts'>;

class DeliveryDetailDelivery extends DeliveryOfDetail {
  @Field.Object(() => AttemptDetail, 'All attempts, first to last.', { list: true })
  attempts!: AttemptDetail[];

  @Field.Text('Body of the request, byte for byte as signed and sent.') body!: string;
}

/** Response of GET /v1/deliveries/:id. */
@Example({ delivery: { ...DELIVERY, attempts: [{ ...ATTEMPT, ...HEADERS }], body: JSON.stringify(BODY) } })
export class DeliveryDetail {
  @Field.Object(() => DeliveryDetailDelivery, 'The delivery with its attempts.')
  delivery!: DeliveryDetailDelivery;
}

/** Response of POST /v1/deliveries/:id/retry and /resend. */
@Example({ delivery: { ...DELIVERY, state: 'pending', finishedAt: null, nextAttemptAt: TIMESTAMP } })
export class RetriedDelivery {
  @Field.Object(() => DeliveryItem, 'The delivery, which is pending again.') delivery!: DeliveryItem;
}

/** Response of POST /v1/webhooks/:id/recover. */
@Example({ count: 17, isComplete: true })
export class RecoveredDeliveries {
  @Field.Integer('Deliveries that are pending again.', { min: 0 }) count!: number;

  @Field.Boolean('False: more deliveries match than one request handles. Send the same request again.')
  isComplete!: boolean;
}
