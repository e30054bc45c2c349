import { Module } from '@nestjs/common';
import { ShardsModule } from '../shards/shards.module';
import { PositionStore } from './position-store';
import { TrackedWallets } from './tracked-wallets';

/** The tracked wallets, and the states of their positions. */
@Module({
  imports: [ShardsModule],
  providers: [PositionStore, TrackedWallets],
  exports: [PositionStore, TrackedWallets],
})
export class TrackingModule {}
