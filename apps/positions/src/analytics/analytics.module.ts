import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { FiguresModule } from '../figures/figures.module';
import { PositionsModule } from '../positions/positions.module';
import { WalletsModule } from '../wallets/wallets.module';
import { AnalyticsController } from './analytics.controller';
import { HistoricalService } from './historical.service';
import { PortfolioService } from './portfolio.service';
import { SnapshotKeeper } from './snapshot-keeper';
import { SnapshotPartitions } from './snapshot-partitions';
import { SnapshotThinning } from './snapshot-thinning';
import { SnapshotsRepository } from './snapshots.repository';

/** The portfolio of an account, and the history of positions. */
@Module({
  imports: [ChainsModule, FiguresModule, PositionsModule, WalletsModule],
  controllers: [AnalyticsController],
  providers: [
    HistoricalService,
    PortfolioService,
    SnapshotKeeper,
    SnapshotPartitions,
    SnapshotThinning,
    SnapshotsRepository,
  ],
})
export class AnalyticsModule {}
