import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module';
import { LifecycleModule } from '../../lifecycle/lifecycle.module';
import { PositionsModule } from '../../positions/positions.module';
import { PricesModule } from '../../prices/prices.module';
import { AssetAlerts } from './asset-alerts.service';
import { AssetConditionsRepository } from './asset-conditions.repository';
import { AssetConditions } from './asset-conditions.service';
import { HoldersRepository } from './holders.repository';
import { HoldingChanges } from './holding-changes';
import { PendingNotificationsPoller } from './pending-notifications.poller';

/** Alerts about the price of an asset. */
@Module({
  imports: [AccountsModule, LifecycleModule, PositionsModule, PricesModule],
  providers: [
    AssetAlerts,
    AssetConditions,
    AssetConditionsRepository,
    HoldersRepository,
    HoldingChanges,
    PendingNotificationsPoller,
  ],
  exports: [AssetConditions, HoldingChanges],
})
export class AssetPriceModule {}
