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
  'alert.created': 'A new alert came of the account’s rules.',
  'alert.escalated': 'An active alert got worse, from high to critical.',
  'alert.updated':
    'The figures of an active alert moved, at most once a minute, or its level became milder, at once.',
  'alert.resolved':
    'The condition of an alert is no longer met, or another alert took its place (resolveReason escalated).',
  'alert.group':
    'One cause opened two or more alerts, or made them worse: all of them in one table, about a second later.',
  'position.updated':
    'Amounts of a watched position changed, or its band, or its health factor by 1 % since the last one sent.',
  'position.liquidation_risk':
    'A watched position got into a worse band (high, critical or liquidatable), or its health factor crossed 1 downwards again. riskLevel is the level of the health factor beside it; events of earlier releases state no reason.',
  'test.ping': 'A test was asked for with POST /v1/webhooks/{id}/test.',
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
      'HMAC-SHA256 of the raw body with the whole secret as key, in lower-case hexadecimal. Compare in constant time.',
      '5f6c0d0e2a7b9c1d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d',
      { pattern: '^[0-9a-f]{64}$' },
    ),
    {
      ...header(
        WEBHOOK_HEADERS.signatureNext,
        'The same with the new secret, while the overlap of a rotation lasts.',
        'c0ffee0e2a7b9c1d3e4f5a6b7c8d9e0f1a2b3c4d5e6f7a8b9c0d1e2f3a4b5c6d',
        { pattern: '^[0-9a-f]{64}$' },
      ),
      required: false,
    },
    header(WEBHOOK_HEADERS.event, 'The event type.', event, { const: event }),
    header(
      WEBHOOK_HEADERS.delivery,
      'Id of the delivery; the same over its retries.',
      'del_01aBcDeFgHiJkLmNoPqRsT',
    ),
    header(WEBHOOK_HEADERS.eventId, 'Id of the event: deduplicate on it.', 'evt_01aBcDeFgHiJkLmNoPqRsT'),
    header(WEBHOOK_HEADERS.attempt, 'Number of this attempt, from 1.', '1', { pattern: '^[1-9][0-9]*$' }),
    header('webhook-id', 'Standard Webhooks: the id of the event.', 'evt_01aBcDeFgHiJkLmNoPqRsT'),
    header('webhook-timestamp', 'Standard Webhooks: Unix seconds of this attempt.', '1795262400'),
    header(
      'webhook-signature',
      'Standard Webhooks: `v1,` and the base64 of the HMAC-SHA256 over id, timestamp and body, keyed by the bytes that the secret encodes. Two, with a space between, while the overlap of a rotation lasts.',
      'v1,K5oZfzN95Z9UVu1EsfQmfVNQhnkZ2pj9o9NDN/H/pI4=',
    ),
  ];
}

const envelope = (event: WebhookEventType) =>
  Type.Object({
    event: Type.Literal(event, { description: 'The event type.' }),
    timestamp: Type.String({ format: 'date-time', description: 'When the event was made.' }),
    webhookId: recordId('wh', 'Id of the endpoint.'),
    eventId: recordId('evt', 'The same for every delivery and retry of one event: deduplicate on it.'),
    data: WEBHOOK_DATA[event],
  });

/** `alert.created` → `AlertCreated`. */
const pascal = (event: WebhookEventType): string =>
  event
    .split(/[._]/)
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('');

/** The `webhooks` section: what is posted to endpoints. */
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
            '2XX': { description: 'Taken. The body is not read beyond 4 KiB.' },
            '410': { description: 'The endpoint is gone for good and is disabled.' },
            default: {
              description:
                'Anything else, a redirect too, or no answer within 10 seconds is a failure: tried again after 1 minute, 5 minutes, 30 minutes and 2 hours. Retry-After of a 429 or 503 lengthens the wait.',
            },
          },
        },
      },
    ]),
  );
}
