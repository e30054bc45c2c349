import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { InnerReceiptsController } from './inner-receipts.controller';
import { ReceiptKeysController } from './receipt-keys.controller';
import { ReceiptPartitions } from './receipt-partitions';
import { ReceiptReader } from './receipt-reader';
import { ReceiptRetention } from './receipt-retention';
import { ReceiptSigner } from './receipt-signer';
import { ReceiptsController } from './receipts.controller';
import { ReceiptsRepository } from './receipts.repository';
import { ReceiptsService } from './receipts.service';

/** Signed readings of positions. */
@Module({
  imports: [ChainsModule],
  controllers: [InnerReceiptsController, ReceiptKeysController, ReceiptsController],
  providers: [
    ReceiptPartitions,
    ReceiptReader,
    ReceiptRetention,
    ReceiptSigner,
    ReceiptsRepository,
    ReceiptsService,
  ],
  exports: [ReceiptSigner, ReceiptsService],
})
export class ReceiptsModule {}
