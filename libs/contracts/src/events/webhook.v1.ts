import { Type, type Static } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { RecordId, Timestamp, oneOf } from './fields';

/**
 * Changes of a webhook endpoint. Topics have no order between them, so an earlier delivery.v1 may arrive
 * after this event.
 */
export const WEBHOOK_CHANGES = ['deleted'] as const;

/** A webhook endpoint was deleted. Its pending deliveries are never sent, and no further event names it. */
const WebhookV1Schema = Type.Object({
  webhookId: RecordId('wh'),
  accountId: RecordId('acc'),
  change: oneOf(WEBHOOK_CHANGES),
  at: Timestamp,
});

export type WebhookV1 = Static<typeof WebhookV1Schema>;

export const webhookV1 = defineEvent({
  topic: 'webhook.v1',
  schema: WebhookV1Schema,
  compacted: false,
  keyOf: (value) => value.webhookId,
});
