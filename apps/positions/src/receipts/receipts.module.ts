import { Module } from '@nestjs/common';
import { BandsModule } from '../bands/bands.module';
import { ChainsModule } from '../chains/chains.module';
import { InnerReceiptsController } from './inner-receipts.controller';
import { ReceiptKeysController } from './receipt-keys.controller';
import { ReceiptPartitions } from './receipt-partitions';
import { ReceiptReader } from './receipt-reader';
import { ReceiptRetention } from './receipt-retention';
import { ReceiptSigningModule } from '../receipt-signing/receipt-signing.module';
import { ReceiptsController } from './receipts.controller';
import { ReceiptsRepository } from './receipts.repository';
import { ReceiptsService } from './receipts.service';

/** Signed readings of positions. */
@Module({
  imports: [BandsModule, ChainsModule, ReceiptSigningModule],
  controllers: [InnerReceiptsController, ReceiptKeysController, ReceiptsController],
  providers: [ReceiptPartitions, ReceiptReader, ReceiptRetention, ReceiptsRepository, ReceiptsService],
  exports: [ReceiptsService],
})
export class ReceiptsModule {}
