import { type Static, Type } from '@sinclair/typebox';
import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { WEBHOOK_DATA, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../webhooks';
import { Optional } from '../fields/field';
import {
  BooleanField,
  IdField,
  ItemCount,
  NextCursor,
  ObjectField,
  ShapeField,
  TimestampField,
  WordField,
} from '../fields/fields';
import { IsMoment } from '../fields/moment';
import { PageQuery } from '../fields/paging';
import { Example } from '../fields/response-schema';
import { EVENT_ID, TIMESTAMP } from '../fields/samples';
import { DATA } from './samples';

/** Query of GET /v1/events. */
export class ListEventsQuery extends PageQuery {
  @JSONSchema({ description: 'Only events of this type.' })
  @Optional()
  @IsIn(WEBHOOK_EVENT_TYPES)
  type?: WebhookEventType;

  @JSONSchema({
    description: 'Only events received at this time (ISO 8601) or later.',
    format: 'date-time',
  })
  @Optional()
  @IsMoment()
  since?: string;
}

/** `data` of every event type. Event types with the same schema appear once. */
const anyData = Type.Union([...new Set(Object.values(WEBHOOK_DATA))]);

/**
 * A webhook event of the account that its endpoints received, or would have received if they were enabled.
 */
export class WebhookEventItem {
  @IdField('evt', 'Id of the event, as in x-service-event-id. Receivers deduplicate by it.') eventId!: string;
  @WordField(WEBHOOK_EVENT_TYPES, 'Event type.') event!: WebhookEventType;
  @TimestampField('When the event was created.') timestamp!: string;

  @ShapeField(anyData, '`data` of the webhook.') data!: Static<typeof anyData>;

  @BooleanField('True: created by POST /v1/webhooks/:id/test.') isTest!: boolean;
}

/** Response of GET /v1/events. */
@Example({
  events: [{ eventId: EVENT_ID, event: 'test.ping', timestamp: TIMESTAMP, data: DATA, isTest: true }],
  count: 1,
  nextCursor: null,
})
export class WebhookEventList {
  @ObjectField(() => WebhookEventItem, 'Newest first.', { list: true }) events!: WebhookEventItem[];
  @ItemCount() count!: number;
  @NextCursor() nextCursor!: string | null;
}
