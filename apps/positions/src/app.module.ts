import { Module } from '@nestjs/common';
import { EventBusModule, INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  IDEMPOTENCY_MIGRATION,
  eventBusOptions,
  migrationsFolder,
} from '@plimsoll/service-kit';
import { AnalyticsModule } from './analytics/analytics.module';
import { BalancesModule } from './balances/balances.module';
import { ChainStateModule } from './chain-state/chain-state.module';
import { PrismaClient } from './generated/prisma/client';
import { HistoryModule } from './history/history.module';
import { MarketRatesModule } from './market-rates/market-rates.module';
import { NamesModule } from './names/names.module';
import { OperatorsModule } from './operators/operators.module';
import { OraclePricesModule } from './oracle-prices/oracle-prices.module';
import { ParameterChangesModule } from './parameter-changes/parameter-changes.module';
import { PositionsModule } from './positions/positions.module';
import { ReceiptLogModule } from './receipt-log/receipt-log.module';
import { RulesModule } from './rules/rules.module';
import { ScansModule } from './scans/scans.module';
import { WalletImportsModule } from './wallet-imports/wallet-imports.module';
import { WalletListModule } from './wallet-list/wallet-list.module';
import { WalletsModule } from './wallets/wallets.module';

@Module({
  imports: [
    DatabaseModule.forSchema('positions', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [OUTBOX_MIGRATION, INBOX_MIGRATION, IDEMPOTENCY_MIGRATION],
    }),
    EventBusModule.forRootAsync(eventBusOptions('positions')),
    AnalyticsModule,
    BalancesModule,
    ChainStateModule,
    HistoryModule,
    MarketRatesModule,
    NamesModule,
    OperatorsModule,
    OraclePricesModule,
    ParameterChangesModule,
    PositionsModule,
    ReceiptLogModule,
    RulesModule,
    ScansModule,
    WalletImportsModule,
    WalletListModule,
    WalletsModule,
  ],
})
export class AppModule {}
