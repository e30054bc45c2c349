import { Controller, Get, Param, Post, Query } from '@nestjs/common';
import { DeliveryDetail, FieldsQuery, type Identity, RetriedDelivery, recordId } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentRequest, CurrentIdentity, Idempotency, type IdempotentRequest } from '@plimsoll/service-kit';
import { DeliveryLogService } from './delivery-log.service';
import { RetriesService } from './retries.service';

const deliveryPath = { id: recordId('del', 'Id of the delivery.') };

@Controller('v1/deliveries/:id')
export class DeliveriesController {
  constructor(
    private readonly log: DeliveryLogService,
    private readonly retries: RetriesService,
    private readonly idempotency: Idempotency,
  ) {}

  @Get()
  @Documented({
    operationId: 'getDelivery',
    tag: 'Webhooks',
    summary: 'A delivery',
    description: 'A delivery with its body and all its attempts, with the stored part of each response.',
    path: deliveryPath,
    responses: [{ status: 200, description: 'The delivery.', schema: DeliveryDetail }],
    errors: ['not_found'],
  })
  async find(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Query() _fields: FieldsQuery,
  ): Promise<DeliveryDetail> {
    return { delivery: await this.log.find(accountId, id) };
  }

  @Post('retry')
  @Documented({
    operationId: 'retryDelivery',
    tag: 'Webhooks',
    summary: 'Retry a delivery',
    description:
      'Starts one more attempt of a failed or skipped delivery: attempt 6, 7, … after the schedule. The delivery is pending, then delivered or failed, without further retries. 409 in any other state, and while the endpoint is disabled.',
    path: deliveryPath,
    responses: [{ status: 202, description: 'The attempt is scheduled.', schema: RetriedDelivery }],
    errors: ['not_found', 'conflict'],
    idempotent: true,
  })
  retry(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Param('id') id: string,
  ): Promise<RetriedDelivery> {
    return this.idempotency.respond(call, (commit) => this.retries.retry(accountId, id, commit));
  }

  @Post('resend')
  @Documented({
    operationId: 'resendDelivery',
    tag: 'Webhooks',
    summary: 'Send a delivered event again',
    description:
      'Sends the stored body of a delivered delivery in one more attempt, for a receiver that lost it. The event id is the same, so a receiver that still has the event ignores it. The delivery is pending, then delivered or failed, without further retries. 409 in any other state, and while the endpoint is disabled.',
    path: deliveryPath,
    responses: [{ status: 202, description: 'The attempt is scheduled.', schema: RetriedDelivery }],
    errors: ['not_found', 'conflict'],
    idempotent: true,
  })
  resend(
    @CurrentIdentity() { accountId }: Identity,
    @CurrentRequest() call: IdempotentRequest,
    @Param('id') id: string,
  ): Promise<RetriedDelivery> {
    return this.idempotency.respond(call, (commit) => this.retries.resend(accountId, id, commit));
  }
}
