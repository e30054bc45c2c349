import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  CreateWebhookBody,
  CreatedWebhook,
  DeletedWebhook,
  type Identity,
  PageQuery,
  RotatedSecret,
  RotateSecretBody,
  TestWebhookBody,
  UpdateWebhookBody,
  UpdatedWebhook,
  WebhookList,
  WebhookTestResult,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import {
  CurrentRequest,
  CurrentIdentity,
  Idempotency,
  type IdempotentRequest,
  idOfCursor,
  pageOf,
} from '@plimsoll/service-kit';
import { SecretRotationService } from './secret-rotation.service';
import { TestDeliveryService } from './test-delivery.service';
import { WebhooksService } from './webhooks.service';

const path = { id: recordId('wh', 'Id of the webhook endpoint.') };

const DEFAULT_OVERLAP_HOURS = 24;

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly rotation: SecretRotationService,
    private readonly tests: TestDeliveryService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @Documented({
    operationId: 'listWebhooks',
    tag: 'Webhooks',
    summary: 'Webhook endpoints',
    description: 'The webhook endpoints of the account, newest first, without their secrets.',
    responses: [{ status: 200, description: 'A page of endpoints.', schema: WebhookList }],
  })
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<WebhookList> {
    const found = await this.webhooks.list(accountId, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
    return { webhooks: items, count: items.length, nextCursor };
  }

  @Post()
  @Documented({
    operationId: 'createWebhook',
    tag: 'Webhooks',
    summary: 'Create a webhook endpoint',
    description:
      'The service now posts events of these types to the URL. The response contains the signing secret. It is shown only once. URLs that are not https, contain user info or resolve to a private address are rejected with `unsafe_url`.',
    responses: [{ status: 201, description: 'The endpoint with its secret.', schema: CreatedWebhook }],
    errors: ['unsafe_url', 'quota_reached', 'recent_log_in_required'],
    idempotent: true,
  })
  create(
    @CurrentIdentity() identity: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Body() body: CreateWebhookBody,
  ): Promise<CreatedWebhook> {
    return this.idempotency.respond(call, (commit) => this.webhooks.create(identity, body, commit));
  }

  @Patch(':id')
  @Documented({
    operationId: 'updateWebhook',
    tag: 'Webhooks',
    summary: 'Change a webhook endpoint',
    description:
      'Changes the URL, the event types, or the enabled state. Absent fields keep their value. A new URL is checked as at creation, and receives the deliveries that are still pending. Deliveries of a disabled endpoint are stored as skipped: recover them after you enable it.',
    path,
    responses: [{ status: 200, description: 'The endpoint after the change.', schema: UpdatedWebhook }],
    errors: ['unsafe_url', 'quota_reached', 'not_found'],
  })
  async update(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Body() body: UpdateWebhookBody,
  ): Promise<UpdatedWebhook> {
    return { webhook: await this.webhooks.update(accountId, id, body) };
  }

  @Delete(':id')
  @Documented({
    operationId: 'deleteWebhook',
    tag: 'Webhooks',
    summary: 'Delete a webhook endpoint',
    description: 'It receives no further requests, including retries.',
    path,
    responses: [{ status: 200, description: 'It is deleted.', schema: DeletedWebhook }],
    errors: ['not_found'],
  })
  async delete(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<DeletedWebhook> {
    await this.webhooks.delete(accountId, id);
    return { success: true, deleted: id };
  }

  @Post(':id/rotate-secret')
  @Documented({
    operationId: 'rotateWebhookSecret',
    tag: 'Webhooks',
    summary: 'Rotate a signing secret',
    description:
      'Creates a new secret. Until the overlap ends, requests carry the signature of the old secret in `x-service-signature`, that of the new one in `x-service-signature-next`, and both in `webhook-signature`. Repeat it with overlapHours 0 to end the overlap when the receiver has the new secret. 409 for a second rotation during an overlap.',
    path,
    responses: [{ status: 200, description: 'The new secret.', schema: RotatedSecret }],
    errors: ['not_found', 'conflict', 'recent_log_in_required'],
    idempotent: true,
  })
  rotateSecret(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Param('id') id: string,
    @Body() { overlapHours }: RotateSecretBody,
  ): Promise<RotatedSecret> {
    return this.idempotency.respond(call, (commit) =>
      this.rotation.rotate(accountId, id, overlapHours ?? DEFAULT_OVERLAP_HOURS, commit),
    );
  }

  @Post(':id/test')
  @Documented({
    operationId: 'testWebhook',
    tag: 'Webhooks',
    summary: 'Send a test event',
    description:
      'Posts one event to the endpoint, in one attempt without retries, and returns the endpoint’s response. The body is optional: the default is test.ping. Other types contain ids and a wallet of zeros only.',
    path,
    responses: [
      {
        status: 200,
        description: 'The endpoint’s response, also after a failure.',
        schema: WebhookTestResult,
      },
    ],
    errors: ['not_found'],
    idempotent: true,
  })
  test(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Param('id') id: string,
    @Body() { event }: TestWebhookBody,
  ): Promise<WebhookTestResult> {
    return this.idempotency.respond(call, (commit) =>
      this.tests.send(accountId, id, event ?? 'test.ping', commit),
    );
  }
}
