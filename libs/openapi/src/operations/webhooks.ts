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
    description: 'The webhook endpoints of the account, newest first, without their secrets.',
    query: PageQuery,
    responses: [
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
      'The service now posts events of these types to the URL. The response contains the signing secret. It is shown only once. URLs that are not https, contain user info or resolve to a private address are rejected with `unsafe_url`.',
    body: CreateWebhookBody,
    bodyExample: { url: URL, events: EVENTS },
    responses: [
      {
        status: 201,
        description: 'The endpoint with its secret.',
        schema: CreatedWebhook,
        example: { webhook: { ...ENDPOINT, secret: SECRET } },
      },
    ],
    errors: ['unsafe_url', 'quota_reached', 'recent_log_in_required'],
    idempotent: true,
  },
  'PATCH /v1/webhooks/:id': {
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description:
      'Changes the URL, the event types, or the enabled state. Absent fields keep their value. A new URL is checked as at creation, and receives the deliveries that are still pending. Deliveries of a disabled endpoint are stored as skipped: recover them after you enable it.',
    path,
    body: UpdateWebhookBody,
    bodyExample: { events: EVENTS, isEnabled: true },
    responses: [
      {
        status: 200,
        description: 'The endpoint after the change.',
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
      'Creates a new secret. Until the overlap ends, requests carry the signature of the old secret in `x-service-signature`, that of the new one in `x-service-signature-next`, and both in `webhook-signature`. Repeat it with overlapHours 0 to end the overlap when the receiver has the new secret. 409 for a second rotation during an overlap.',
    path,
    body: RotateSecretBody,
    bodyExample: { overlapHours: 24 },
    responses: [
      {
        status: 200,
        description: 'The new secret.',
        schema: RotatedSecret,
        example: { webhook: { id: WEBHOOK_ID, secret: SECRET, overlapEndsAt: TIMESTAMP } },
      },
    ],
    errors: ['not_found', 'conflict', 'recent_log_in_required'],
    idempotent: true,
  },
  'DELETE /v1/webhooks/:id': {
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'It receives no further requests, including retries.',
    path,
    responses: [
      {
        status: 200,
        description: 'It is deleted.',
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
      'Posts one event to the endpoint, in one attempt without retries, and returns the endpoint’s response. The body is optional: the default is test.ping. Other types contain ids and a wallet of zeros only.',
    path,
    body: TestWebhookBody,
    bodyExample: { event: 'test.ping' },
    responses: [
      {
        status: 200,
        description: 'The endpoint’s response, also after a failure.',
        schema: WebhookTestResult,
        example: { success: true, statusCode: 204, responseTime: 87, deliveryId: DELIVERY_ID },
      },
    ],
    errors: ['not_found'],
    idempotent: true,
  },
};
