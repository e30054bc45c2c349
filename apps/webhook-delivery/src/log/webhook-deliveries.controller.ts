import { Body, Controller, Get, Param, Post, Query } from '@nestjs/common';
import {
  type DeliveryList,
  type Identity,
  ListDeliveriesQuery,
  RecoverDeliveriesBody,
  type RecoveredDeliveries,
} from '@plimsoll/contracts';
import { CurrentRequest, CurrentIdentity, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesService } from './retries.service';

/** The deliveries of one endpoint. */
@Controller('v1/webhooks/:id')
export class WebhookDeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: RetriesService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get('deliveries')
  list(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Query() query: ListDeliveriesQuery,
  ): Promise<DeliveryList> {
    return this.log.list(accountId, id, query);
  }

  @Post('recover')
  recover(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Param('id') id: string,
    @Body() body: RecoverDeliveriesBody,
  ): Promise<RecoveredDeliveries> {
    return this.idempotency.respond(call, (commit) => this.retries.recover(accountId, id, body, commit));
  }
}
