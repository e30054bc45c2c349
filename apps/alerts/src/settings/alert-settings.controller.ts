import { Body, Controller, Get, Patch } from '@nestjs/common';
import { type AlertSettings, ChangeAlertSettingsBody, type Identity } from '@plimsoll/contracts';
import { CurrentIdentity } from '@plimsoll/service-kit';
import { AlertSettingsService } from './alert-settings.service';

@Controller('v1/alerts/settings')
export class AlertSettingsController {
  constructor(private readonly settings: AlertSettingsService) {}

  @Get()
  read(@CurrentIdentity() { accountId }: Identity): Promise<AlertSettings> {
    return this.settings.of(accountId);
  }

  @Patch()
  change(
    @CurrentIdentity() { accountId }: Identity,
    @Body() body: ChangeAlertSettingsBody,
  ): Promise<AlertSettings> {
    return this.settings.change(accountId, body);
  }
}
