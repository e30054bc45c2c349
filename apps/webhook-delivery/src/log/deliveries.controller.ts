import { Controller, Get, Param, Post } from '@nestjs/common';
import type { DeliveryDetail, Identity, RetriedDelivery } from '@plimsoll/contracts';
import { CurrentRequest, CurrentIdentity, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesService } from './retries.service';

@Controller('v1/deliveries/:id')
export class DeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: RetriesService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  async find(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<DeliveryDetail> {
    return { delivery: await this.log.find(accountId, id) };
  }

  @Post('retry')
  retry(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Param('id') id: string,
  ): Promise<RetriedDelivery> {
    return this.idempotency.respond(call, (commit) => this.retries.retry(accountId, id, commit));
  }
}
