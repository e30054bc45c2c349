import { Module } from '@nestjs/common';
import { EventBusModule, INBOX_MIGRATION, OUTBOX_MIGRATION } from '@plimsoll/event-bus';
import {
  DatabaseModule,
  IDEMPOTENCY_MIGRATION,
  eventBusOptions,
  idempotencyProviders,
  migrationsFolder,
} from '@plimsoll/service-kit';
import { AnalyticsController } from './analytics/analytics.controller';
import { HistoricalService } from './analytics/historical.service';
import { PortfolioService } from './analytics/portfolio.service';
import { SnapshotKeeper } from './analytics/snapshot-keeper';
import { SnapshotPartitions } from './analytics/snapshot-partitions';
import { SnapshotThinning } from './analytics/snapshot-thinning';
import { SnapshotsRepository } from './analytics/snapshots.repository';
import { CorrelatedRisk } from './bands/correlated-risk';
import { ChainStatePublisher } from './chain-state/chain-state-publisher';
import { ChainsService } from './chains/chains.service';
import { FiguresReader } from './figures/figures-reader';
import { PositionKeysRepository } from './positions/position-keys.repository';
import { PositionsController } from './positions/positions.controller';
import { PositionsService } from './positions/positions.service';
import { PrismaService } from './prisma.service';
import { RuleConsumer } from './rules/rule.consumer';
import { Shards } from './shards/shards';
import { PositionStore } from './tracking/position-store';
import { ScansController } from './scans/scans.controller';
import { ScansService } from './scans/scans.service';
import { TrackedWallets } from './tracking/tracked-wallets';
import { AccountUpdatedConsumer } from './wallets/account-updated.consumer';
import { WalletsController } from './wallets/wallets.controller';
import { WalletsRepository } from './wallets/wallets.repository';
import { WalletsService } from './wallets/wallets.service';

@Module({
  imports: [
    DatabaseModule.forSchema('positions', migrationsFolder(__dirname), [
      OUTBOX_MIGRATION,
      INBOX_MIGRATION,
      IDEMPOTENCY_MIGRATION,
    ]),
    EventBusModule.forRootAsync(eventBusOptions('positions')),
  ],
  controllers: [
    WalletsController,
    PositionsController,
    ScansController,
    AnalyticsController,
    AccountUpdatedConsumer,
    RuleConsumer,
  ],
  providers: [
    CorrelatedRisk,
    PrismaService,
    WalletsRepository,
    WalletsService,
    Shards,
    TrackedWallets,
    PositionStore,
    ChainsService,
    ChainStatePublisher,
    FiguresReader,
    PositionKeysRepository,
    PositionsService,
    ScansService,
    PortfolioService,
    HistoricalService,
    SnapshotsRepository,
    SnapshotPartitions,
    SnapshotThinning,
    SnapshotKeeper,
    ...idempotencyProviders(),
  ],
})
export class AppModule {}
