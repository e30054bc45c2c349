import { Module } from '@nestjs/common';
import { IndexingModule } from '../indexing/indexing.module';
import { ClusterFinder } from './cluster-finder';
import { ClusterKeeper } from './cluster-keeper';
import { ClustersController } from './clusters.controller';
import { ClustersRepository } from './clusters.repository';
import { EvidenceRepository } from './evidence.repository';
import { NativeFundersRepository } from './native-funders.repository';
import { NativeFunders } from './native-funders.service';
import { OwnerReader } from './owner-reader';
import { TrackedWalletsRepository } from './tracked-wallets.repository';
import { TransferScanner } from './transfer-scanner';
import { TransfersRepository } from './transfers.repository';
import { ValueReader } from './value-reader';

/** Wallets that probably have one owner. */
@Module({
  imports: [IndexingModule],
  controllers: [ClustersController],
  providers: [
    ClusterFinder,
    ClusterKeeper,
    ClustersRepository,
    EvidenceRepository,
    NativeFunders,
    NativeFundersRepository,
    OwnerReader,
    TrackedWalletsRepository,
    TransferScanner,
    TransfersRepository,
    ValueReader,
  ],
  exports: [NativeFundersRepository, TransfersRepository],
})
export class ClustersModule {}
