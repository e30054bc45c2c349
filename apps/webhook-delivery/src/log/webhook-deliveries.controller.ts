import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  DeliveryList,
  type Identity,
  ListDeliveriesQuery,
  RecoverDeliveriesBody,
  RecoveredDeliveries,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentRequest, CurrentIdentity, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesService } from './retries.service';

const webhookPath = { id: recordId('wh', 'Id of the webhook endpoint.') };

/** The deliveries of one endpoint. */
@Controller('v1/webhooks/:id')
export class WebhookDeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: RetriesService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get('deliveries')
  @Documented({
    operationId: 'listDeliveries',
    tag: 'Webhooks',
    summary: 'Delivery log of an endpoint',
    description:
      'The deliveries of the last 30 days with all their attempts, newest first. Deliveries from a time when the endpoint was disabled are stored as skipped.',
    path: webhookPath,
    responses: [{ status: 200, description: 'A page of deliveries.', schema: DeliveryList }],
    errors: ['not_found'],
  })
  list(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<DeliveryList> {
    return this.log.list(accountId, id, query);
  }

  @Post('recover')
  @Documented({
    operationId: 'recoverDeliveries',
    tag: 'Webhooks',
    summary: 'Retry failed and skipped deliveries',
    description:
      'Makes every failed or skipped delivery since a given time pending again, oldest first. Each gets one attempt, and is then delivered or failed. Tests are excluded. 409 while the endpoint is disabled.',
    path: webhookPath,
    responses: [{ status: 202, description: 'The attempts are scheduled.', schema: RecoveredDeliveries }],
    errors: ['not_found', 'conflict'],
    idempotent: true,
  })
  recover(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Param('id') id: string,
    @Body() body: RecoverDeliveriesBody,
  ): Promise<RecoveredDeliveries> {
    return this.idempotency.respond(call, (commit) => this.retries.recover(accountId, id, body, commit));
  }
}
