import { Body, Controller, Delete, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  CreateWebhookBody,
  type CreatedWebhook,
  type DeletedWebhook,
  type Identity,
  PageQuery,
  TestWebhookBody,
  type WebhookList,
  type WebhookTestResult,
} from '@plimsoll/contracts';
import { CurrentIdentity, decodeCursor, encodeCursor } from '@plimsoll/service-kit';
import { TestDeliveryService } from './test-delivery.service';
import { WebhooksService } from './webhooks.service';

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: TestDeliveryService,
  ) {}

  @Get()
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { limit, cursor }: PageQuery,
  ): Promise<WebhookList> {
    const [beforeId] = decodeCursor(cursor, ['string']) ?? [];
    const found = await this.webhooks.list(
      accountId,
      beforeId === undefined ? null : String(beforeId),
      limit + 1,
    );
    const webhooks = found.slice(0, limit);
    const last = webhooks.at(-1);
    return {
      webhooks,
      count: webhooks.length,
      nextCursor: last && found.length > limit ? encodeCursor([last.id]) : null,
    };
  }

  @Post()
  async create(
    @CurrentIdentity() identity: Identity,
    @Body() body: CreateWebhookBody,
  ): Promise<CreatedWebhook> {
    return { webhook: await this.webhooks.create(identity.accountId, identity.limits.webhooks, body) };
  }

  @Delete(':id')
  async delete(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<DeletedWebhook> {
    await this.webhooks.delete(accountId, id);
    return { success: true, deleted: id };
  }

  @Post(':id/test')
  @HttpCode(200)
  test(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Body() { event }: TestWebhookBody,
  ): Promise<WebhookTestResult> {
    return this.tests.send(accountId, id, event ?? 'test.ping');
  }
}
