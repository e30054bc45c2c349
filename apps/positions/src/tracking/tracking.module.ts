import { Module } from '@nestjs/common';
import { ReceiptSigningModule } from '../receipt-signing/receipt-signing.module';
import { ShardsModule } from '../shards/shards.module';
import { CrossingReceipts } from './crossing-receipts';
import { PositionStore } from './position-store';
import { TrackedWallets } from './tracked-wallets';

/** The tracked wallets, and the states of their positions. */
@Module({
  imports: [ReceiptSigningModule, ShardsModule],
  providers: [CrossingReceipts, PositionStore, TrackedWallets],
  exports: [PositionStore, TrackedWallets],
})
export class TrackingModule {}
