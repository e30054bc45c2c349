import { Module } from '@nestjs/common';
import { EventBusModule, INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { DatabaseModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { ChainsModule } from './chains/chains.module';
import { PrismaClient } from './generated/prisma/client';
import { HistoryModule } from './history/history.module';
import { PricesModule } from './prices/prices.module';
import { ProtocolsModule } from './protocols/protocols.module';
import { RiskModule } from './risk/risk.module';

@Module({
  imports: [
    DatabaseModule.forSchema('market_data', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [OUTBOX_MIGRATION, INBOX_MIGRATION],
    }),
    EventBusModule.forRootAsync(eventBusOptions('market-data')),
    ChainsModule,
    HistoryModule,
    PricesModule,
    ProtocolsModule,
    RiskModule,
  ],
})
export class AppModule {}
