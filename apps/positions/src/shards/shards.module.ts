import { Module } from '@nestjs/common';
import { Shards } from './shards';

/** The share of the wallets that this instance follows. */
@Module({
  providers: [Shards],
  exports: [Shards],
})
export class ShardsModule {}
