import { Module } from '@nestjs/common';
import { ChainsService } from './chains.service';
import { IndexStore } from './index-store';
import { RowBackfillStore } from './row-backfill.store';

/** Reads the logs of every configured chain. */
@Module({
  providers: [ChainsService, IndexStore, RowBackfillStore],
  exports: [ChainsService, IndexStore],
})
export class IndexingModule {}
