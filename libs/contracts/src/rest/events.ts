import { type Static, Type } from '@sinclair/typebox';
import { IsIn } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { WEBHOOK_DATA, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../webhooks';
import { itemCount, nextCursor, oneOf, recordId, timestamp } from './fields';
import { IsMoment } from './moment';
import { Optional } from './optional';
import { PageQuery } from './paging';

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

/**
 * A webhook event of the account that its endpoints received, or would have received if they were enabled.
 */
export const WebhookEventItem = Type.Object({
  eventId: recordId('evt', 'Id of the event, as in x-service-event-id. Receivers deduplicate by it.'),
  event: oneOf(WEBHOOK_EVENT_TYPES, { description: 'Event type.' }),
  timestamp: timestamp('When the event was created.'),
  // Event types with the same schema appear once.
  data: Type.Union([...new Set(Object.values(WEBHOOK_DATA))], { description: '`data` of the webhook.' }),
  isTest: Type.Boolean({ description: 'True: created by POST /v1/webhooks/:id/test.' }),
});
export type WebhookEventItem = Static<typeof WebhookEventItem>;

/** Response of GET /v1/events. */
export const WebhookEventList = Type.Object({
  events: Type.Array(WebhookEventItem, { description: 'Newest first.' }),
  count: itemCount,
  nextCursor,
});
export type WebhookEventList = Static<typeof WebhookEventList>;
