import { Module } from '@nestjs/common';
import { ChainsModule } from '../chains/chains.module';
import { ReceiptSigningModule } from '../receipt-signing/receipt-signing.module';
import { ReceiptAnchors } from './receipt-anchors';
import { ReceiptLog } from './receipt-log';
import { ReceiptLogController } from './receipt-log.controller';
import { ReceiptLogKeeper } from './receipt-log-keeper';
import { ReceiptRoots } from './receipt-roots';

/** The log of all receipts, with a signed root every hour. */
@Module({
  imports: [ChainsModule, ReceiptSigningModule],
  controllers: [ReceiptLogController],
  providers: [ReceiptAnchors, ReceiptLog, ReceiptLogKeeper, ReceiptRoots],
})
export class ReceiptLogModule {}
