import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module';
import { LifecycleModule } from '../../lifecycle/lifecycle.module';
import { ParameterAlertsPoller } from './parameter-alerts.poller';
import { ParameterChangeConsumer } from './parameter-change.consumer';
import { ParameterChangesRepository } from './parameter-changes.repository';

/** Alerts about parameters that governance announced to change. */
@Module({
  imports: [AccountsModule, LifecycleModule],
  controllers: [ParameterChangeConsumer],
  providers: [ParameterAlertsPoller, ParameterChangesRepository],
})
export class ParameterChangeModule {}
