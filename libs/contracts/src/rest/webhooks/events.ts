import { type Static, Type } from '@sinclair/typebox';
import { IsIn, IsString, Matches } from 'class-validator';
import { JSONSchema } from 'class-validator-jsonschema';
import { ID_FORM } from '../../ids';
import { WEBHOOK_DATA, WEBHOOK_EVENT_TYPES, type WebhookEventType } from '../../webhooks';
import { EVENT_ID, Example, Field, IsMoment, Optional, PageQuery, TIMESTAMP, WEBHOOK_ID } from '../fields';
import { DATA } from './samples';

/** Subjects are positions, alerts, groups and webhook endpoints. */
const SUBJECT = new RegExp(`^(pos|alt|grp|wh)_${ID_FORM}$`);

/** Query of GET /v1/events. */
export class ListEventsQuery extends PageQuery {
  @JSONSchema({ description: 'Only events of this type.' })
  @Optional()
  @IsIn(WEBHOOK_EVENT_TYPES)
  type?: WebhookEventType;

  @JSONSchema({ description: 'Only events whose `subject` is this id.' })
  @Optional()
  @IsString()
  @Matches(SUBJECT, { message: 'subject must be the id of a position, alert, group or webhook endpoint' })
  subject?: string;

  @JSONSchema({
    description: 'Only events received at this time (ISO 8601) or later.',
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
  @Field.Id('evt', 'Id of the event, as in x-service-event-id. Receivers deduplicate by it.')
  eventId!: string;
  @Field.Word(WEBHOOK_EVENT_TYPES, 'Event type.') event!: WebhookEventType;
  @Field.Text(
    'Id of what the event is about: the position, the alert where there is no position, the group of alert.group, or the endpoint of test.ping.',
    { pattern: SUBJECT.source },
  )
  subject!: string;

  @Field.Timestamp('When the event was created.') timestamp!: string;

  @Field.Shape(anyData, '`data` of the webhook.') data!: Static<typeof anyData>;

  @Field.Boolean('True: created by POST /v1/webhooks/:id/test.') isTest!: boolean;
}

/** Response of GET /v1/events. */
@Example({
  events: [
    {
      eventId: EVENT_ID,
      event: 'test.ping',
      subject: WEBHOOK_ID,
      timestamp: TIMESTAMP,
      data: DATA,
      isTest: true,
    },
  ],
  count: 1,
  nextCursor: null,
})
export class WebhookEventList {
  @Field.Object(() => WebhookEventItem, 'Newest first.', { list: true }) events!: WebhookEventItem[];
  @Field.ItemCount() count!: number;
  @Field.NextCursor() nextCursor!: string | null;
}
