import { Module } from '@nestjs/common';
import { AccountsModule } from '../../accounts/accounts.module';
import { LifecycleModule } from '../../lifecycle/lifecycle.module';
import { PricesModule } from '../../prices/prices.module';
import { OracleAlertsPoller } from './oracle-alerts.poller';
import { OraclePriceConsumer } from './oracle-price.consumer';
import { OraclePricesRepository } from './oracle-prices.repository';

/** Alerts about oracles whose price left the market price. */
@Module({
  imports: [AccountsModule, LifecycleModule, PricesModule],
  controllers: [OraclePriceConsumer],
  providers: [OracleAlertsPoller, OraclePricesRepository],
})
export class OraclePriceModule {}
