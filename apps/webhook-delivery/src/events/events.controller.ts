import { Controller, Get, Query } from '@nestjs/common';
import {
  type Identity,
  ListEventsQuery,
  type WebhookEnvelope,
  type WebhookEventItem,
  WebhookEventList,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity, Clock, idOfCursor, pageOf } from '@plimsoll/service-kit';
import { subjectOf } from './event-filter';
import { type EventRow, EventsRepository } from './events.repository';

/** Period of listed events. */
const LISTED_MS = 30 * 86_400_000;

/** The webhook events of an account, which a receiver can compare with those that it received. */
@Controller('v1/events')
export class EventsController {
  constructor(
    private readonly events: EventsRepository,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Documented({
    operationId: 'listEvents',
    tag: 'Webhooks',
    summary: 'Webhook events',
    description:
      'The webhook events of the last 30 days that an endpoint of the account subscribed to, newest first, each once, whatever the result of its deliveries and within the filters of the endpoint. A receiver can compare them with the events that it received.',
    responses: [{ status: 200, description: 'A page of events.', schema: WebhookEventList }],
  })
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor, type, subject, since }: ListEventsQuery,
  ): Promise<WebhookEventList> {
    const oldestMs = this.clock.now() - LISTED_MS;
    const sinceMs = since === undefined ? oldestMs : Math.max(oldestMs, Date.parse(since));
    const filter = { sinceMs, type, subject };
    const found = await this.events.list(accountId, filter, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ deliveryId }) => [deliveryId]);
    return { events: items.map(eventItem), count: items.length, nextCursor };
  }
}

function eventItem({ eventId, body, isTest }: EventRow): WebhookEventItem {
  const { event, timestamp, data } = JSON.parse(body) as WebhookEnvelope;
  return { eventId, event, subject: subjectOf({ event, data }), timestamp, data, isTest };
}
