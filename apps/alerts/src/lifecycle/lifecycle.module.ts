import { Module } from '@nestjs/common';
import { IncidentsModule } from '../incidents/incidents.module';
import { PositionsModule } from '../positions/positions.module';
import { AlertGroupsPoller } from './alert-groups.poller';
import { AlertGroupsRepository } from './alert-groups.repository';
import { AlertGroups } from './alert-groups.service';
import { AlertLifecycle } from './alert-lifecycle.service';
import { AlertsController } from './alerts.controller';
import { AlertsRepository } from './alerts.repository';
import { ExpiryPoller } from './expiry.poller';
import { ListAlertsRepository } from './list-alerts.repository';

/** The life of every alert, and the list of alerts. */
@Module({
  imports: [IncidentsModule, PositionsModule],
  controllers: [AlertsController],
  providers: [
    AlertGroups,
    AlertGroupsRepository,
    AlertGroupsPoller,
    AlertLifecycle,
    AlertsRepository,
    ExpiryPoller,
    ListAlertsRepository,
  ],
  exports: [AlertLifecycle, ExpiryPoller],
})
export class LifecycleModule {}
