import { Module } from '@nestjs/common';
import { EventBusModule } from '@plimsoll/event-bus';
import { DatabaseModule, migrationsFolder, kafkaSettings } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { GatewayConfig } from './config';
import { DocumentsModule } from './documents/documents.module';
import { EdgeModule } from './edge/edge.module';
import { IdentityModule } from './identity';
import { UsageModule } from './usage/usage.module';

@Module({
  imports: [
    DatabaseModule.forSchema('gateway', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [GatewayConfig, Pool, PinoLogger],
      useFactory: (config: GatewayConfig, pool: Pool, logger: PinoLogger) => ({
        ...kafkaSettings(config),
        clientId: 'gateway',
        groupId: 'gateway',
        pool,
        logger,
      }),
    }),
    DocumentsModule,
    IdentityModule,
    UsageModule,
    EdgeModule,
  ],
})
export class AppModule {}
