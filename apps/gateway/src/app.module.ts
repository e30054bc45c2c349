import { Module } from '@nestjs/common';
import { EventBusModule, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { DatabaseModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { ActivityModule } from './activity/activity.module';
import { DocumentsModule } from './documents/documents.module';
import { EdgeModule } from './edge/edge.module';
import { IdentityModule } from './identity';
import { LocalMarketModule } from './local-market/local-market.module';
import { PublicDataModule } from './public-data/public-data.module';
import { ReceiptKeysModule } from './receipt-keys/receipt-keys.module';
import { RequestLogModule } from './request-log/request-log.module';
import { UsageModule } from './usage/usage.module';

const bus = eventBusOptions('gateway');

@Module({
  imports: [
    DatabaseModule.forSchema('gateway', migrationsFolder(__dirname), { library: [OUTBOX_MIGRATION] }),
    EventBusModule.forRootAsync({
      inject: bus.inject,
      // Readiness of the gateway does not name the bus: it consumes nothing.
      useFactory: (...settings: Parameters<typeof bus.useFactory>) => ({
        ...bus.useFactory(...settings),
        health: undefined,
      }),
    }),
    ActivityModule,
    DocumentsModule,
    IdentityModule,
    LocalMarketModule,
    ReceiptKeysModule,
    RequestLogModule,
    UsageModule,
    EdgeModule,
    PublicDataModule,
  ],
})
export class AppModule {}
