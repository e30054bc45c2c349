import { Body, Controller, Get, HttpCode, Param, Post, Query } from '@nestjs/common';
import {
  AcknowledgedAlert,
  AlertList,
  type Identity,
  ListAlertsQuery,
  MOST_SNOOZE_MINUTES,
  MutedAlert,
  SnoozeAlertBody,
  SnoozedAlert,
  UnsilencedAlert,
  invalidRequest,
  notFound,
  recordId,
} from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { Clock, CurrentIdentity, idOfCursor, pageOf } from '@plimsoll/service-kit';
import { AlertSilences } from './alert-silences.service';
import { ListAlertsRepository } from './list-alerts.repository';

const ALERT_PATH = recordId('alt', 'Id of the alert.');
const MINUTE_MS = 60_000;

@Controller('v1/alerts')
export class AlertsController {
  constructor(
    private readonly alerts: ListAlertsRepository,
    private readonly silences: AlertSilences,
    private readonly clock: Clock,
  ) {}

  @Get()
  @Documented({
    operationId: 'listAlerts',
    tag: 'Alerts',
    summary: 'Alerts of the account',
    description:
      'Active and resolved alerts on the watched wallets, newest first. health_factor_warning and liquidation_risk: at most one of them is active per position, with its current severity, level and health factor. Every fall of a health factor below 1 opens a new liquidation_risk, and the previous alert resolves with resolveReason escalated. price_move: the market price of an asset that a watched position supplies or owes differs by 10 % from its highest or lowest within an hour (severity medium; from 20 % a new alert with severity high). It resolves below 7.5 %. oracle_stale: such an asset has no fresh market price. depeg: the market price of such an asset has been at least 2 % from its target price for five minutes (severity medium; from 5 % high). It resolves below 1 %. These three open one alert per asset, with positionId null. oracle_deviation: the oracle price of an asset in the protocol of a watched position with debt has differed from the market price by at least 2 % for five minutes (severity medium; from 5 % high). It resolves below 1 %, and opens one alert per position and asset. None of the four opens again within five minutes unless it is worse. parameter_change: governance announced a change that moves the health factor or a limit of a watched position with debt (severity high when it makes the position liquidatable, medium when it lowers the health factor, otherwise info). It resolves when the change is made, cancelled or expires, and opens one alert per position and change.',
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
    path: { id: ALERT_PATH },
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

  @Post(':id/snooze')
  @HttpCode(200)
  @Documented({
    operationId: 'snoozeAlert',
    tag: 'Alerts',
    summary: 'Snooze an alert',
    description:
      'Webhooks and streams receive no alert.updated and no alert.escalated of this alert until the given time, or until its severity rises above the current one. The rise is sent and ends the snooze. When the time is over, an alert.updated with silenceEnded has the current state. alert.resolved is always sent and ends the snooze. Every alert.created is sent. Another snooze changes the time. The snooze of a muted alert replaces the mute. 409 for a resolved alert.',
    path: { id: ALERT_PATH },
    responses: [{ status: 200, description: 'The alert.', schema: SnoozedAlert }],
    errors: ['not_found', 'conflict'],
  })
  async snooze(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
    @Body() body: SnoozeAlertBody,
  ): Promise<SnoozedAlert> {
    const untilMs = endOfSnooze(body, this.clock.now());
    return { alert: await this.silences.silence(accountId, id, 'snoozed', untilMs) };
  }

  @Post(':id/unsnooze')
  @HttpCode(200)
  @Documented({
    operationId: 'unsnoozeAlert',
    tag: 'Alerts',
    summary: 'End the snooze of an alert',
    description:
      'An alert.updated with silenceEnded has the current state. An alert that is not snoozed does not change.',
    path: { id: ALERT_PATH },
    responses: [{ status: 200, description: 'The alert.', schema: UnsilencedAlert }],
    errors: ['not_found'],
  })
  async unsnooze(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
  ): Promise<UnsilencedAlert> {
    return { alert: await this.silences.end(accountId, id, 'snoozed') };
  }

  @Post(':id/mute')
  @HttpCode(200)
  @Documented({
    operationId: 'muteAlert',
    tag: 'Alerts',
    summary: 'Mute an alert',
    description:
      'Webhooks and streams receive no alert.updated and no alert.escalated of this alert until it is unmuted. alert.resolved is always sent and ends the mute. A fall of the health factor below 1 opens another alert, which is not muted. The mute of a snoozed alert replaces the snooze. 409 for a resolved alert.',
    path: { id: ALERT_PATH },
    responses: [{ status: 200, description: 'The alert.', schema: MutedAlert }],
    errors: ['not_found', 'conflict'],
  })
  async mute(@CurrentIdentity() { accountId }: Identity, @Param('id') id: string): Promise<MutedAlert> {
    return { alert: await this.silences.silence(accountId, id, 'muted', null) };
  }

  @Post(':id/unmute')
  @HttpCode(200)
  @Documented({
    operationId: 'unmuteAlert',
    tag: 'Alerts',
    summary: 'Unmute an alert',
    description:
      'An alert.updated with silenceEnded has the current state. An alert that is not muted does not change.',
    path: { id: ALERT_PATH },
    responses: [{ status: 200, description: 'The alert.', schema: UnsilencedAlert }],
    errors: ['not_found'],
  })
  async unmute(
    @CurrentIdentity() { accountId }: Identity,
    @Param('id') id: string,
  ): Promise<UnsilencedAlert> {
    return { alert: await this.silences.end(accountId, id, 'muted') };
  }
}

/** @throws invalid_request unless exactly one field states an end within the permitted time */
function endOfSnooze({ minutes, until }: SnoozeAlertBody, nowMs: number): number {
  if (minutes !== undefined && until === undefined) return nowMs + minutes * MINUTE_MS;
  const invalid = (code: string, message: string) => invalidRequest([{ field: 'until', code, message }]);
  if (until === undefined) throw invalid('required', 'Name until or minutes.');
  if (minutes !== undefined) throw invalid('unexpected', 'Name either until or minutes.');
  const untilMs = Date.parse(until);
  if (untilMs <= nowMs) throw invalid('future', 'until must be in the future.');
  if (untilMs > nowMs + MOST_SNOOZE_MINUTES * MINUTE_MS)
    throw invalid('max', 'until must be at most 7 days from now.');
  return untilMs;
}
