import {
  WEBHOOK_DATA,
  WEBHOOK_EVENT_TYPES,
  WEBHOOK_HEADERS,
  type WebhookEventType,
  recordId,
} from '@plimsoll/contracts';
import { Type } from '@sinclair/typebox';
import type { Components, Json } from './components';

const SENT_WHEN: Record<WebhookEventType, string> = {
  'alert.created': 'An alert opened.',
  'alert.escalated': 'An active alert became worse, for example from high to critical.',
  'alert.updated':
    'The figures of an active alert changed (at most once a minute), or its level became milder (immediately).',
  'alert.resolved':
    'The condition of an alert is no longer true, or another alert replaced it (resolveReason escalated).',
  'alert.group':
    'One cause opened two or more alerts, or made them worse. One table has all of them, about a second later.',
  'position.updated':
    'A watched position changed: its amounts, its band, or its health factor by 1 % since the last event.',
  'position.liquidation_risk':
    'A watched position reached a worse band (high, critical or liquidatable), or its health factor fell below 1 again. riskLevel is the level of the health factor beside it. Events of earlier releases have no reason.',
  'test.ping': 'POST /v1/webhooks/{id}/test requested a test.',
};

const header = (name: string, description: string, example: string, schema: Json = {}): Json => ({
  name,
  in: 'header',
  required: true,
  description,
  schema: { type: 'string', ...schema },
  example,
});

function headersOf(event: WebhookEventType): Json[] {
  return [
    header(
      WEBHOOK_HEADERS.signature,
      'HMAC-SHA256 of the raw body with the complete secret as key, in lower-case hexadecimal. Compare in constant time.',
      '5f6c0d0e2a7b9c1d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d',
      { pattern: '^[0-9a-f]{64}$' },
    ),
    {
      ...header(
        WEBHOOK_HEADERS.signatureNext,
        'The same with the new secret, during the overlap of a rotation.',
        'c0ffee0e2a7b9c1d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d',
        { pattern: '^[0-9a-f]{64}$' },
      ),
      required: false,
    },
    header(WEBHOOK_HEADERS.event, 'The event type.', event, { const: event }),
    header(
      WEBHOOK_HEADERS.delivery,
      'Id of the delivery. It is the same for all its retries.',
      'del_01aBcDeFgHiJkLmNoPqRsT',
    ),
    header(WEBHOOK_HEADERS.eventId, 'Id of the event. Deduplicate by it.', 'evt_01aBcDeFgHiJkLmNoPqRsT'),
    header(WEBHOOK_HEADERS.attempt, 'Number of this attempt, from 1.', '1', { pattern: '^[1-9][0-9]*$' }),
    header('webhook-id', 'Standard Webhooks: the id of the event.', 'evt_01aBcDeFgHiJkLmNoPqRsT'),
    header('webhook-timestamp', 'Standard Webhooks: Unix seconds of this attempt.', '1795262400'),
    header(
      'webhook-signature',
      'Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 over id, timestamp and body, with the decoded secret as key. During the overlap of a rotation it has two, separated by a space.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ];
}

const envelope = (event: WebhookEventType) =>
  Type.Object({
    event: Type.Literal(event, { description: 'The event type.' }),
    timestamp: Type.String({ format: 'date-time', description: 'When the event was created.' }),
    webhookId: recordId('wh', 'Id of the endpoint.'),
    eventId: recordId('evt', 'The same for every delivery and retry of one event. Deduplicate by it.'),
    // The description of a reference does not replace that of its target.
    data: Type.Unsafe({ ...WEBHOOK_DATA[event], description: SENT_WHEN[event] }),
  });

/** `alert.created` → `AlertCreated`. */
const pascal = (event: WebhookEventType): string =>
  event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** Returns the `webhooks` section: the requests to endpoints. */
export function webhooksSection(components: Components): Json {
  return Object.fromEntries(
    WEBHOOK_EVENT_TYPES.map((event) => [
      event,
      {
        post: {
          operationId: `on${pascal(event)}`,
          tags: ['Webhooks'],
          summary: event,
          description: SENT_WHEN[event],
          security: [],
          parameters: headersOf(event),
          requestBody: {
            required: true,
            content: {
              'application/json': { schema: components.named(`${pascal(event)}Event`, envelope(event)) },
            },
          },
          responses: {
            '2XX': { description: 'Accepted. The service reads at most 4 KiB of the body.' },
            '410': { description: 'The endpoint is permanently gone. The service disables it.' },
            default: {
              description:
                'Any other status, including a redirect, or no response within 10 seconds is a failure. The service retries after 1 minute, 5 minutes, 30 minutes and 2 hours. Retry-After of a 429 or 503 extends the delay.',
            },
          },
        },
      },
    ]),
  );
}
