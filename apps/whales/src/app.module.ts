import { Module } from '@nestjs/common';
import { EventBusModule, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import { DatabaseModule, eventBusOptions, migrationsFolder } from '@plimsoll/service-kit';
import { ActivityController } from './activity/activity.controller';
import { ActivityRepository } from './activity/activity.repository';
import { ActivityCleaner } from './activity/activity-cleaner';
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
import { ChainsService } from './indexing/chains.service';
import { IndexStore } from './indexing/index-store';
import { NativeFunders } from './clusters/native-funders.service';
import { NativeFundersRepository } from './clusters/native-funders.repository';
import { RowBackfillStore } from './indexing/row-backfill.store';

@Module({
  imports: [
    DatabaseModule.forSchema('whales', migrationsFolder(__dirname), [OUTBOX_MIGRATION]),
    EventBusModule.forRootAsync(eventBusOptions('whales')),
  ],
  controllers: [ActivityController, ClustersController],
  providers: [
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
