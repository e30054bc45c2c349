import { Type, type Static } from '@sinclair/typebox';
import { defineEvent } from './define-event';
import { RecordId, Timestamp, oneOf } from './fields';

/** What becomes of webhook endpoints. Topics have no order between them: a delivery.v1 of before may come after this. */
export const WEBHOOK_CHANGES = ['deleted'] as const;

/** A webhook endpoint was deleted: what waits for it is never sent, and nothing more is told about it. */
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
