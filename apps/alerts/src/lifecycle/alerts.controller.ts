import { Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  AcknowledgedAlert,
  AlertList,
  type Identity,
  ListAlertsQuery,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { Clock, CurrentIdentity, idOfCursor, pageOf } from '@plimsoll/service-kit';
import { ListAlertsRepository } from './list-alerts.repository';

@Controller('v1/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: ListAlertsRepository,
    private readonly clock: Clock,
  ) {}

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
    @Query() { limit, cursor, ...filter }: ListAlertsQuery,
  ): Promise<AlertList> {
    const found = await this.alerts.list(accountId, filter, idOfCursor(cursor), limit + 1);
    const { items, nextCursor } = pageOf(found, limit, ({ id }) => [id]);
    return { alerts: items, nextCursor };
  }

  @Post(':id/acknowledge')
  @HttpCode(200)
  @Documented({
    operationId: 'acknowledgeAlert',
    tag: 'Alerts',
    summary: 'Acknowledge an alert',
    description:
      'Records that the account has seen the alert. The response and GET /v1/alerts show the time of the first acknowledgement. The alert stays active until its condition is false, and its changes are still sent. A later updatedAt means that it changed since.',
    path: { id: recordId('alt', 'Id of the alert.') },
    responses: [{ status: 200, description: 'The alert.', schema: AcknowledgedAlert }],
    errors: ['not_found'],
  })
  async acknowledge(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
  ): Promise<AcknowledgedAlert> {
    const alert = await this.alerts.acknowledge(accountId, id, this.clock.now());
    if (!alert) throw notFound('alert');
    return { alert };
  }
}
