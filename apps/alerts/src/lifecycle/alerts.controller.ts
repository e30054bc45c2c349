import { Controller, Get, Query } from '@nestjs/common';
import { type AlertList, type Identity, ListAlertsQuery } from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { beforeIdOf, pageOf } from '../infrastructure/page';
import { ListAlertsRepository } from './list-alerts.repository';

@Controller('v1/alerts')
export class AlertsController {
  constructor(private readonly alerts: ListAlertsRepository) {}

  @Get()
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { status, limit, cursor }: ListAlertsQuery,
  ): Promise<AlertList> {
    const found = await this.alerts.list(accountId, status, beforeIdOf(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit);
    return { alerts: items, nextCursor };
  }
}
