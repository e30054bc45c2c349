import { Body, Controller, Delete, Get, Param, Post, Query } from '@nestjs/common';
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
import {
  CurrentCall,
  CurrentIdentity,
  Idempotency,
  type IdempotentCall,
  decodeCursor,
  encodeCursor,
} from '@plimsoll/service-kit';
import { TestDeliveryService } from './test-delivery.service';
import { WebhooksService } from './webhooks.service';

@Controller('v1/webhooks')
export class WebhooksController {
  constructor(
    private readonly webhooks: WebhooksService,
    private readonly tests: TestDeliveryService,
    private readonly idempotency: Idempotency,
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
  create(
    @CurrentIdentity() { accountId, limits }: Identity,
    @CurrentCall() call: IdempotentCall,
    @Body() body: CreateWebhookBody,
  ): Promise<CreatedWebhook> {
    return this.idempotency.answer(call, (commit) =>
      this.webhooks.create(accountId, limits.webhooks, body, commit),
    );
  }

  @Delete(':id')
  async delete(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<DeletedWebhook> {
    await this.webhooks.delete(accountId, id);
    return { success: true, deleted: id };
  }

  @Post(':id/test')
  test(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentCall() call: IdempotentCall,
    @Param('id') id: string,
    @Body() { event }: TestWebhookBody,
  ): Promise<WebhookTestResult> {
    return this.idempotency.answer(call, (commit) =>
      this.tests.send(accountId, id, event ?? 'test.ping', commit),
    );
  }
}
