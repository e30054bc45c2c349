import { Controller, Get, HttpCode, Param, Post } from '@nestjs/common';
import type { DeliveryDetail, Identity, RetriedDelivery } from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesService } from './retries.service';

@Controller('v1/deliveries/:id')
export class DeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: RetriesService,
  ) {}

  @Get()
  async find(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<DeliveryDetail> {
    return { delivery: await this.log.find(accountId, id) };
  }

  @Post('retry')
  @HttpCode(202)
  async retry(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<RetriedDelivery> {
    return { delivery: await this.retries.retry(accountId, id) };
  }
}
