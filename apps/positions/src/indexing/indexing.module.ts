import { Module } from '@nestjs/common';
import { HoldingsIndexRepository } from './holdings-index.repository';

/** The sub-ids in which a wallet ever acted, from logs. */
@Module({
  providers: [HoldingsIndexRepository],
  exports: [HoldingsIndexRepository],
})
export class IndexingModule {}
