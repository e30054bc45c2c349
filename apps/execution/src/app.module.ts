import { Module } from '@nestjs/common';
import { EventBusModule, INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  IDEMPOTENCY_MIGRATION,
  eventBusOptions,
  migrationsFolder,
} from '@plimsoll/service-kit';
import { ApiModule } from './api/api.module';
import { AutomationModule } from './automation/automation.module';
import { BuiltModule } from './built/built.module';
import { PrismaClient } from './generated/prisma/client';

@Module({
  imports: [
    DatabaseModule.forSchema('execution', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [OUTBOX_MIGRATION, INBOX_MIGRATION, IDEMPOTENCY_MIGRATION],
    }),
    EventBusModule.forRootAsync(eventBusOptions('execution')),
    ApiModule,
    AutomationModule,
    BuiltModule,
  ],
})
export class AppModule {}
