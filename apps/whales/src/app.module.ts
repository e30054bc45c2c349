import { Module } from '@nestjs/common';
import { EventBusModule, type EventBusOptions } from '@plimsoll/event-bus';
import { DatabaseModule, Health, kafkaSettings, migrationsFolder } from '@plimsoll/service-kit';
import { PinoLogger } from 'nestjs-pino';
import { Pool } from 'pg';
import { ActivityController } from './activity/activity.controller';
import { ActivityRepository } from './activity/activity.repository';
import { ActivityCleaner } from './activity/activity-cleaner';
import { Clock } from './clock';
import { ClusterFinder } from './clusters/cluster-finder';
import { ClusterKeeper } from './clusters/cluster-keeper';
import { ClustersController } from './clusters/clusters.controller';
import { ClustersRepository } from './clusters/clusters.repository';
import { EvidenceRepository } from './clusters/evidence.repository';
import { OwnerReader } from './clusters/owner-reader';
import { TrackedWalletsRepository } from './clusters/tracked-wallets.repository';
import { TransferScanner } from './clusters/transfer-scanner';
import { TransfersRepository } from './clusters/transfers.repository';
import { ValueReader } from './clusters/value-reader';
import { WhalesConfig } from './config';
import { ChainsService } from './indexing/chains.service';
import { IndexStore } from './indexing/index-store';
import { NativeFunders } from './clusters/native-funders.service';
import { NativeFundersRepository } from './clusters/native-funders.repository';
import { RowBackfillStore } from './indexing/row-backfill.store';

@Module({
  imports: [
    DatabaseModule.forSchema('whales', migrationsFolder(__dirname)),
    EventBusModule.forRootAsync({
      inject: [WhalesConfig, Pool, PinoLogger, Health],
      useFactory: (
        config: WhalesConfig,
        pool: Pool,
        logger: PinoLogger,
        health: Health,
      ): EventBusOptions => ({
        ...kafkaSettings(config),
        clientId: 'whales',
        groupId: 'whales',
        pool,
        logger,
        health,
      }),
    }),
  ],
  controllers: [ActivityController, ClustersController],
  providers: [
    Clock,
    IndexStore,
    NativeFunders,
    NativeFundersRepository,
    RowBackfillStore,
    ChainsService,
    ActivityRepository,
    ActivityCleaner,
    TrackedWalletsRepository,
    TransfersRepository,
    TransferScanner,
    OwnerReader,
    EvidenceRepository,
    ValueReader,
    ClusterFinder,
    ClustersRepository,
    ClusterKeeper,
  ],
})
export class AppModule {}
