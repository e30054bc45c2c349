import { Controller, Get, Query } from '@nestjs/common';
import { AlertList, type Identity, ListAlertsQuery } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity, idOfCursor, pageOf } from '@plimsoll/service-kit';
import { ListAlertsRepository } from './list-alerts.repository';

@Controller('v1/alerts')
export class AlertsController {
  constructor(private readonly alerts: ListAlertsRepository) {}

  @Get()
  @Documented({
    operationId: 'listAlerts',
    tag: 'Alerts',
    summary: 'Alerts of the account',
    description:
      'Active and resolved alerts on the watched wallets, newest first. health_factor_warning and liquidation_risk: at most one of them is active per position, with its current severity, level and health factor. Every fall of a health factor below 1 opens a new liquidation_risk, and the previous alert resolves with resolveReason escalated. price_move: the market price of an asset that a watched position supplies or owes differs by 10 % from its highest or lowest within an hour (severity medium; from 20 % a new alert with severity high). It resolves below 7.5 %. oracle_stale: such an asset has no fresh market price. Both open one alert per asset, with positionId null. Neither opens again within five minutes unless it is worse.',
    responses: [{ status: 200, description: 'A page of alerts.', schema: AlertList }],
  })
  async list(
    @CurrentIdentity() { accountId }: Identity,
    @Query() { status, limit, cursor }: ListAlertsQuery,
  ): Promise<AlertList> {
    const found = await this.alerts.list(accountId, status, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
    return { alerts: items, nextCursor };
  }
}
