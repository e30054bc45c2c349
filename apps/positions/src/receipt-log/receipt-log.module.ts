import { Module } from '@nestjs/common';
import { ReceiptSigningModule } from '../receipt-signing/receipt-signing.module';
import { ReceiptLog } from './receipt-log';
import { ReceiptLogController } from './receipt-log.controller';
import { ReceiptLogKeeper } from './receipt-log-keeper';
import { ReceiptRoots } from './receipt-roots';

/** The log of all receipts, with a signed root every hour. */
@Module({
  imports: [ReceiptSigningModule],
  controllers: [ReceiptLogController],
  providers: [ReceiptLog, ReceiptLogKeeper, ReceiptRoots],
})
export class ReceiptLogModule {}
