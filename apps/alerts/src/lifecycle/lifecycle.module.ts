import { Module } from '@nestjs/common';
import { AccountsModule } from '../accounts/accounts.module';
import { IncidentsModule } from '../incidents/incidents.module';
import { PositionsModule } from '../positions/positions.module';
import { AlertGroupsPoller } from './alert-groups.poller';
import { AlertGroupsRepository } from './alert-groups.repository';
import { AlertGroups } from './alert-groups.service';
import { AlertLifecycle } from './alert-lifecycle.service';
import { AlertSilences } from './alert-silences.service';
import { AlertsController } from './alerts.controller';
import { AlertsRepository } from './alerts.repository';
import { ExpiryPoller } from './expiry.poller';
import { ListAlertsRepository } from './list-alerts.repository';
import { SnoozesPoller } from './snoozes.poller';

/** The life of every alert, and the list of alerts. */
@Module({
  imports: [AccountsModule, IncidentsModule, PositionsModule],
  controllers: [AlertsController],
  providers: [
    AlertGroups,
    AlertGroupsRepository,
    AlertGroupsPoller,
    AlertLifecycle,
    AlertSilences,
    AlertsRepository,
    ExpiryPoller,
    ListAlertsRepository,
    SnoozesPoller,
  ],
  exports: [AlertLifecycle, ExpiryPoller],
})
export class LifecycleModule {}
