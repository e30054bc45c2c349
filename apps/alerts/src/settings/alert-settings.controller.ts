import { Body, Controller, Get, Patch } from '@nestjs/common';
import { AlertSettings, ChangeAlertSettingsBody, type Identity } from '@plimsoll/contracts';
import { Documented } from '@plimsoll/openapi';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { AlertSettingsService } from './alert-settings.service';

@Controller('v1/alerts/settings')
export class AlertSettingsController {
  constructor(private readonly settings: AlertSettingsService) {}

  @Get()
  @Documented({
    operationId: 'readAlertSettings',
    tag: 'Alerts',
    summary: 'Alert settings',
    description: 'The account’s settings, or the defaults.',
    responses: [{ status: 200, description: 'The settings.', schema: AlertSettings }],
  })
  read(@CurrentIdentity() { accountId }: Identity): Promise<AlertSettings> {
    return this.settings.of(accountId);
  }

  @Patch()
  @Documented({
    operationId: 'changeAlertSettings',
    tag: 'Alerts',
    summary: 'Change the alert settings',
    description:
      'Changes the given fields. A higher minUsd resolves open alerts on positions that are now too small (resolveReason dust). A lower one opens alerts on positions that are now large enough. A position without a USD value is never too small.',
    responses: [{ status: 200, description: 'The current settings.', schema: AlertSettings }],
  })
  change(
    @CurrentIdentity() { accountId }: Identity,
    @Body() body: ChangeAlertSettingsBody,
  ): Promise<AlertSettings> {
    return this.settings.change(accountId, body);
  }
}
