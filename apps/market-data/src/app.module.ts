import { Module } from '@nestjs/common';
import { EventBusModule, INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { DatabaseModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { ChainsModule } from './chains/chains.module';
import { PrismaClient } from './generated/prisma/client';
import { HistoryModule } from './history/history.module';
import { PricesModule } from './prices/prices.module';
import { ProtocolsModule } from './protocols/protocols.module';
import { RiskModule } from './risk/risk.module';

/** Exposure and states of chains are shown on request. The alerts of the same events come first. */
const GATHER_MS = 500;

@Module({
  imports: [
    DatabaseModule.forSchema('market_data', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [OUTBOX_MIGRATION, INBOX_MIGRATION],
    }),
    EventBusModule.forRootAsync(eventBusOptions('market-data', { gatherMs: GATHER_MS })),
    ChainsModule,
    HistoryModule,
    PricesModule,
    ProtocolsModule,
    RiskModule,
  ],
})
export class AppModule {}
