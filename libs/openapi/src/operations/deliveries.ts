import {
  DeliveryDetail,
  DeliveryList,
  ListDeliveriesQuery,
  ListEventsQuery,
  RecoverDeliveriesBody,
  RecoveredDeliveries,
  RetriedDelivery,
  WebhookEventList,
  recordId,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { DELIVERY_ID, EVENT_ID, TIMESTAMP, WEBHOOK_ID } from './samples';

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
const DATA = { message: 'This is a test. Nothing happened.', webhookId: WEBHOOK_ID, timestamp: TIMESTAMP };
const BODY = {
  event: 'test.ping',
  timestamp: TIMESTAMP,
  webhookId: WEBHOOK_ID,
  eventId: EVENT_ID,
  data: DATA,
};
const webhookPath = { id: recordId('wh', 'Id of the webhook endpoint.') };
const deliveryPath = { id: recordId('del', 'Id of the delivery.') };

export const deliveryOperations: Operations = {
  'GET /v1/webhooks/:id/deliveries': {
    operationId: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'Delivery log of an endpoint',
    description:
      'The deliveries of the last 30 days with all their attempts, newest first. Deliveries from a time when the endpoint was disabled are stored as skipped.',
    path: webhookPath,
    query: ListDeliveriesQuery,
    responses: [
      {
        status: 200,
        description: 'A page of deliveries.',
        schema: DeliveryList,
        example: { deliveries: [DELIVERY], count: 1, nextCursor: null },
      },
    ],
    errors: ['not_found'],
  },
  'POST /v1/webhooks/:id/recover': {
    operationId: 'recoverDeliveries',
    tag: 'Webhooks',
    summary: 'Retry failed and skipped deliveries',
    description:
      'Makes every failed or skipped delivery since a given time pending again, oldest first. Each gets one attempt, and is then delivered or failed. Tests are excluded. 409 while the endpoint is disabled.',
    path: webhookPath,
    body: RecoverDeliveriesBody,
    bodyExample: { since: TIMESTAMP, states: ['failed', 'skipped'] },
    responses: [
      {
        status: 202,
        description: 'The attempts are scheduled.',
        schema: RecoveredDeliveries,
        example: { count: 17, isComplete: true },
      },
    ],
    errors: ['not_found', 'conflict'],
    idempotent: true,
  },
  'GET /v1/deliveries/:id': {
    operationId: 'getDelivery',
    tag: 'Webhooks',
    summary: 'A delivery',
    description: 'A delivery with its body and all its attempts, with the stored part of each response.',
    path: deliveryPath,
    responses: [
      {
        status: 200,
        description: 'The delivery.',
        schema: DeliveryDetail,
        example: { delivery: { ...DELIVERY, body: JSON.stringify(BODY) } },
      },
    ],
    errors: ['not_found'],
  },
  'POST /v1/deliveries/:id/retry': {
    operationId: 'retryDelivery',
    tag: 'Webhooks',
    summary: 'Retry a delivery',
    description:
      'Starts one more attempt of a failed or skipped delivery: attempt 6, 7, … after the schedule. The delivery is pending, then delivered or failed, without further retries. 409 in any other state, and while the endpoint is disabled.',
    path: deliveryPath,
    responses: [
      {
        status: 202,
        description: 'The attempt is scheduled.',
        schema: RetriedDelivery,
        example: { delivery: { ...DELIVERY, state: 'pending', finishedAt: null, nextAttemptAt: TIMESTAMP } },
      },
    ],
    errors: ['not_found', 'conflict'],
    idempotent: true,
  },
  'GET /v1/events': {
    operationId: 'listEvents',
    tag: 'Webhooks',
    summary: 'Webhook events',
    description:
      'The webhook events of the last 30 days that an endpoint of the account subscribed to, newest first, each once, whatever the result of its deliveries. A receiver can compare them with the events that it received.',
    query: ListEventsQuery,
    responses: [
      {
        status: 200,
        description: 'A page of events.',
        schema: WebhookEventList,
        example: {
          events: [{ eventId: EVENT_ID, event: 'test.ping', timestamp: TIMESTAMP, data: DATA, isTest: true }],
          count: 1,
          nextCursor: null,
        },
      },
    ],
  },
};
