import {
  CreateWebhookBody,
  CreatedWebhook,
  DeletedWebhook,
  PageQuery,
  RotateSecretBody,
  RotatedSecret,
  TestWebhookBody,
  UpdateWebhookBody,
  UpdatedWebhook,
  WebhookList,
  WebhookTestResult,
  recordId,
} from '@plimsoll/contracts';
import type { Operations } from '../operation';
import { DELIVERY_ID, TIMESTAMP, WEBHOOK_ID } from './samples';

const URL = 'https://hooks.example.com/plimsoll';
const EVENTS = ['alert.created', 'alert.resolved'];
const ENDPOINT = { id: WEBHOOK_ID, url: URL, events: EVENTS, isEnabled: true, createdAt: TIMESTAMP };
const LISTED = { ...ENDPOINT, disabledReason: null, deliveryCount: 42 };
const SECRET = `whsec_${'A'.repeat(43)}=`;
const path = { id: recordId('wh', 'Id of the webhook endpoint.') };

export const webhookOperations: Operations = {
  'GET /v1/webhooks': {
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'Webhook endpoints',
    description: 'The webhook endpoints of the account, newest first. Their secrets are never shown again.',
    query: PageQuery,
    answers: [
      {
        status: 200,
        description: 'A page of endpoints.',
        schema: WebhookList,
        example: { webhooks: [LISTED], count: 1, nextCursor: null },
      },
    ],
  },
  'POST /v1/webhooks': {
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'Events of the types named are posted to the URL from now on. The answer holds the signing secret, for the only time. URLs that are not https, hold user info or lead to a private address are refused with `unsafe_url`.',
    body: CreateWebhookBody,
    bodyExample: { url: URL, events: EVENTS },
    answers: [
      {
        status: 201,
        description: 'The endpoint with its secret.',
        schema: CreatedWebhook,
        example: { webhook: { ...ENDPOINT, secret: SECRET } },
      },
    ],
    errors: ['unsafe_url', 'quota_reached'],
    idempotent: true,
  },
  'PATCH /v1/webhooks/:id': {
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description:
      'Changes the URL, the event types, or whether it is enabled; what is absent stays. A new URL is checked as at creation, and gets what is still to be sent. While an endpoint is disabled its deliveries are kept as skipped: recover them once it is enabled.',
    path,
    body: UpdateWebhookBody,
    bodyExample: { events: EVENTS, isEnabled: true },
    answers: [
      {
        status: 200,
        description: 'The endpoint as it is now.',
        schema: UpdatedWebhook,
        example: { webhook: LISTED },
      },
    ],
    errors: ['unsafe_url', 'quota_reached', 'not_found'],
  },
  'POST /v1/webhooks/:id/rotate-secret': {
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate a signing secret',
    description:
      'Makes a new secret. Until the overlap ends, requests carry the signature of the old secret in `x-service-signature`, that of the new one in `x-service-signature-next`, and both in `webhook-signature`. Call it again with overlapHours 0 to end the overlap once the receiver has the new secret. 409 for a second rotation while an overlap lasts.',
    path,
    body: RotateSecretBody,
    bodyExample: { overlapHours: 24 },
    answers: [
      {
        status: 200,
        description: 'The new secret.',
        schema: RotatedSecret,
        example: { webhook: { id: WEBHOOK_ID, secret: SECRET, overlapEndsAt: TIMESTAMP } },
      },
    ],
    errors: ['not_found', 'conflict'],
    idempotent: true,
  },
  'DELETE /v1/webhooks/:id': {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'Nothing more is sent to it, retries included.',
    path,
    answers: [
      {
        status: 200,
        description: 'It is gone.',
        schema: DeletedWebhook,
        example: { success: true, deleted: WEBHOOK_ID },
      },
    ],
    errors: ['not_found'],
  },
  'POST /v1/webhooks/:id/test': {
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Posts one event to the endpoint, in one attempt without retries, and answers what came back. The body may be left out: a test.ping is sent. Other types are sent with ids and a wallet of zeros only.',
    path,
    body: TestWebhookBody,
    bodyExample: { event: 'test.ping' },
    answers: [
      {
        status: 200,
        description: 'What the endpoint answered, a failure too.',
        schema: WebhookTestResult,
        example: { success: true, statusCode: 204, responseTime: 87, deliveryId: DELIVERY_ID },
      },
    ],
    errors: ['not_found'],
    idempotent: true,
  },
};
