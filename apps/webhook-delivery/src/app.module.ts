import { Module } from '@nestjs/common';
import { EventBusModule, INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  IDEMPOTENCY_MIGRATION,
  eventBusOptions,
  migrationsFolder,
} from '@plimsoll/service-kit';
import { EndpointsModule } from './endpoints/endpoints.module';
import { EventsModule } from './events/events.module';
import { PrismaClient } from './generated/prisma/client';
import { DIRECT_EVENTS } from './intake/divide';
import { IntakeModule } from './intake/intake.module';
import { LogModule } from './log/log.module';
import { RetentionModule } from './retention/retention.module';

/**
 * About 2,000 alerts. The key of alert.v1 is the account, so a flood of one account fills one partition. Each fetch
 * with events of others costs a transaction, so the end of the flood is reached with few of them.
 */
const PARTITION_BYTES = 2_097_152;
/** The events of other accounts in that partition wait until the flood is read, and not until it is stored. */
const READ_AHEAD = {
  topics: ['alert.v1', 'alert-change.v1', 'alert-group.v1'],
  eventsPerKey: DIRECT_EVENTS,
  maxBytes: 67_108_864,
} as const;

@Module({
  imports: [
    DatabaseModule.forSchema('webhook_delivery', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [OUTBOX_MIGRATION, INBOX_MIGRATION, IDEMPOTENCY_MIGRATION],
    }),
    EventBusModule.forRootAsync(
      eventBusOptions('webhook-delivery', { maxBytesPerPartition: PARTITION_BYTES, readAhead: READ_AHEAD }),
    ),
    EndpointsModule,
    EventsModule,
    IntakeModule,
    LogModule,
    RetentionModule,
  ],
})
export class AppModule {}
