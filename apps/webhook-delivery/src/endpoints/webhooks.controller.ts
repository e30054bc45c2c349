import { Body, Controller, Delete, Get, Param, Patch, Post, Query } from '@nestjs/common';
import {
  CreateWebhookBody,
  type CreatedWebhook,
  type DeletedWebhook,
  type Identity,
  PageQuery,
  type RotatedSecret,
  RotateSecretBody,
  TestWebhookBody,
  UpdateWebhookBody,
  type UpdatedWebhook,
  type WebhookList,
  type WebhookTestResult,
} from '@plimsoll/contracts';
import { CurrentRequest, CurrentIdentity, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { idOfCursor, pageOf } from '../page';
import { SecretRotationService } from './secret-rotation.service';
import { TestDeliveryService } from './test-delivery.service';
import { WebhooksService } from './webhooks.service';

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
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<WebhookList> {
    const found = await this.webhooks.list(accountId, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => id);
    return { webhooks: items, count: items.length, nextCursor };
  }

  @Post()
  create(
    @CurrentIdentity() { accountId, limits }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Body() body: CreateWebhookBody,
  ): Promise<CreatedWebhook> {
    return this.idempotency.respond(call, (commit) =>
      this.webhooks.create(accountId, limits.webhooks, body, commit),
    );
  }

  @Patch(':id')
  async update(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Body() body: UpdateWebhookBody,
  ): Promise<UpdatedWebhook> {
    return { webhook: await this.webhooks.update(accountId, id, body) };
  }

  @Delete(':id')
  async delete(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<DeletedWebhook> {
    await this.webhooks.delete(accountId, id);
    return { success: true, deleted: id };
  }

  @Post(':id/rotate-secret')
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
