import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  type DeliveryList,
  type Identity,
  ListDeliveriesQuery,
  RecoverDeliveriesBody,
  type RecoveredDeliveries,
} from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesService } from './retries.service';

/** The deliveries of one endpoint. */
@Controller('v1/webhooks/:id')
export class WebhookDeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: RetriesService,
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
  @HttpCode(202)
  recover(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Body() body: RecoverDeliveriesBody,
  ): Promise<RecoveredDeliveries> {
    return this.retries.recover(accountId, id, body);
  }
}
