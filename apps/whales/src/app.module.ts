import { Module } from '@nestjs/common';
import { EventBusModule, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { DatabaseModule, InnerNamesModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { ActivityModule } from './activity/activity.module';
import { ClustersModule } from './clusters/clusters.module';
import { WhalesConfig } from './config';
import { PrismaClient } from './generated/prisma/client';
import { IndexingModule } from './indexing/indexing.module';

@Module({
  imports: [
    DatabaseModule.forSchema('whales', migrationsFolder(__dirname), {
      client: PrismaClient,
      library: [OUTBOX_MIGRATION],
    }),
    EventBusModule.forRootAsync(eventBusOptions('whales')),
    ActivityModule,
    ClustersModule,
    IndexingModule,
    InnerNamesModule.using(WhalesConfig),
  ],
})
export class AppModule {}
